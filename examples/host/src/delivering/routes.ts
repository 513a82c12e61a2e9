/** The routes of deliveries, dead letters, redeliveries and replays. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { eventFilter } from '../events/routes.js';
import { comparisonGroup } from '../rules/comparisons/routes.js';
import { eventId, id, inProject, instant, instantIn, line, pageOf, pageQuery } from '../api/shapes.js';

/** Why an attempt failed: the codes of the library. */
export const FAILURES = [
  'http_status',
  'timeout',
  'connection_refused',
  'connection_reset',
  'connection_failed',
  'dns_failure',
  'tls_failure',
  'protocol_error',
  'headers_too_large',
  'address_refused',
  'url_refused',
  'endpoint_gone',
  'internal_error',
] as const;
const failure = z.enum(FAILURES);
const origin = z.enum(['live', 'replay']);
const state = z.enum(['pending', 'delivered', 'failed']);
/** `<event>:<endpoint>`, and the action's id where it is a replay. */
const deliveryId = z
  .string()
  .regex(/^[\w.~-]+(?::[\w.~-]+){1,2}$/)
  .max(200);
const status = z.number().int().min(100).max(999);
const IDEMPOTENCY_NOTE =
  'With an `Idempotency-Key`, a repeated request within 24 hours does nothing more and gets the first answer.';

/** A delivery as the API shows it. */
export const delivery = z.object({
  id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  endpoint_id: z.string(),
  origin,
  /** `pending` also while an attempt is under way. */
  state,
  attempts: z.number().int(),
  /** Null while an attempt is under way, and once it is finished. */
  next_attempt_at: instant.nullable(),
  /** Code of the last attempt, where that failed. */
  failure: failure.nullable(),
  /** HTTP status of the last attempt, where there was an answer. */
  status_code: z.number().int().nullable(),
  /** True for a failed one that was neither sent again nor discarded. */
  is_dead_letter: z.boolean(),
  redelivery_id: z
    .string()
    .nullable()
    .describe('The bulk redelivery, or the replay of many events, that made it'),
  created_at: instant,
  finished_at: instant.nullable(),
});
export type DeliveryView = z.output<typeof delivery>;

const attempt = z.object({
  number: z.number().int(),
  /** The URL that was used, without its query; null where nothing was sent. */
  url: z.string().nullable(),
  started_at: instant,
  ended_at: instant,
  duration_ms: z.number().int(),
  ok: z.boolean(),
  failure: failure.nullable(),
  status_code: z.number().int().nullable(),
  detail: z.string().nullable(),
});
export type AttemptView = z.output<typeof attempt>;

const inDelivery = inProject.extend({ delivery: deliveryId });

export const listDeliveries = route({
  name: 'listDeliveries',
  method: 'GET',
  path: '/projects/{project}/deliveries',
  access: 'read',
  summary: 'Lists deliveries, newest first',
  description: `With \`failure\` or a range of \`status\` a page looks at 5,000 deliveries at most: where few of them meet the conditions it
is short, or empty, and has a \`next\` all the same.`,
  params: inProject,
  query: pageQuery.extend({
    event: eventId.optional(),
    endpoint: id.optional(),
    state: state.optional(),
    origin: origin.optional(),
    redelivery: id.optional().describe('Id of a bulk redelivery, or of a replay of many events'),
    /** Made at this instant or later, and before that one. */
    from: instantIn.optional(),
    to: instantIn.optional(),
    failure: failure.optional(),
    /** HTTP status of the last attempt, from and to this one. */
    status_from: z.coerce.number().pipe(status).optional(),
    status_to: z.coerce.number().pipe(status).optional(),
  }),
  answer: pageOf(delivery).extend({
    scanned_to: instant.nullable().describe('How far back the page looked, where there is a `next`'),
  }),
  problems: ['invalid_cursor'],
});

export const listEventAttempts = route({
  name: 'listEventAttempts',
  method: 'GET',
  path: '/projects/{project}/events/{event}/attempts',
  access: 'read',
  summary: 'Lists the attempts of all deliveries of an event, delivery by delivery, oldest first',
  params: inProject.extend({ event: eventId }),
  query: pageQuery,
  answer: pageOf(attempt.extend({ delivery_id: z.string() })),
  problems: ['invalid_cursor'],
});

export const getDelivery = route({
  name: 'getDelivery',
  method: 'GET',
  path: '/projects/{project}/deliveries/{delivery}',
  access: 'read',
  summary: 'Shows a delivery with all its attempts, and when the next one is due',
  params: inDelivery,
  answer: delivery.extend({ history: z.array(attempt) }),
});

export const retryDelivery = route({
  name: 'retryDelivery',
  method: 'POST',
  path: '/projects/{project}/deliveries/{delivery}/retry',
  access: 'manage',
  summary: 'Sends a dead letter again, or makes the next attempt now',
  description: `A dead letter leaves the queue, and a new delivery with the same body and the origin \`replay\` is made, which
is the answer. A delivery that waits for its next attempt is due at once; the attempt counts as any other. One that was
delivered, or has left the queue, is a \`conflict\`. ${IDEMPOTENCY_NOTE}`,
  params: inDelivery,
  status: 202,
  idempotent: true,
  answer: delivery,
  problems: ['conflict', 'idempotency_conflict'],
});

/** Conditions on dead letters, all of which must hold. */
const filterMembers = {
  endpoint: id.optional(),
  type: line(200).optional(),
  tag: line(200).optional(),
  /** Failed at this instant or later, and before that one. */
  from: instantIn.optional(),
  to: instantIn.optional(),
  failure: failure.optional(),
};
export const letterFilter = z.strictObject({
  ...filterMembers,
  /** HTTP status of the last attempt, from and to this one. */
  status_from: status.optional(),
  status_to: status.optional(),
});
export type LetterFilter = z.output<typeof letterFilter>;
/** In a query, numbers are texts. */
const letterQuery = z.object({
  ...filterMembers,
  status_from: z.coerce.number().pipe(status).optional(),
  status_to: z.coerce.number().pipe(status).optional(),
});

export const listDeadLetters = route({
  name: 'listDeadLetters',
  method: 'GET',
  path: '/projects/{project}/dead-letters',
  access: 'read',
  summary: 'Lists dead letters, newest failure first',
  description: `A page looks at 5,000 letters at most. Where few of them meet the filter it is short, or empty, and has a
\`next\` all the same; \`scanned_to\` tells how far back it has looked.`,
  params: inProject,
  query: pageQuery.extend(letterQuery.shape),
  answer: pageOf(delivery).extend({ scanned_to: instant.nullable() }),
  problems: ['invalid_cursor'],
});

export const countDeadLetters = route({
  name: 'countDeadLetters',
  method: 'GET',
  path: '/projects/{project}/dead-letters/count',
  access: 'read',
  summary: 'Counts dead letters',
  params: inProject,
  query: letterQuery,
  answer: z.object({ count: z.number().int() }),
});

export const discardDeadLetters = route({
  name: 'discardDeadLetters',
  method: 'DELETE',
  path: '/projects/{project}/dead-letters',
  access: 'manage',
  summary: 'Takes dead letters out of the queue for good',
  description: `Needs at least one condition, or \`all=true\`. One request discards up to 10,000; while \`more\` is true,
repeat it. The deliveries stay in the list of deliveries, as failed ones.`,
  params: inProject,
  query: letterQuery.extend({ all: z.literal('true').optional() }),
  answer: z.object({ discarded: z.number().int(), more: z.boolean() }),
});

/** A bulk redelivery as the API shows it. */
export const redelivery = z.object({
  id: z.string(),
  filter: z.record(z.string(), z.union([z.string(), z.number()])),
  state: z.enum(['running', 'stopped', 'done']),
  /** Dead letters that met the filter when it began. */
  total: z.number().int(),
  /** Letters that were sent again so far: delivered, failed and pending ones together. */
  redelivered: z.number().int(),
  created_at: instant,
  created_by: z.string(),
  ended_at: instant.nullable(),
});
export type RedeliveryView = z.output<typeof redelivery>;
/** The deliveries of a bulk action by their state. */
const ofDeliveries = {
  delivered: z.number().int(),
  failed: z.number().int(),
  pending: z.number().int(),
};
const progress = redelivery.extend(ofDeliveries);

export const redeliverDeadLetters = route({
  name: 'redeliverDeadLetters',
  method: 'POST',
  path: '/projects/{project}/dead-letters/redeliver',
  access: 'manage',
  summary: 'Sends all dead letters that meet a filter again',
  description: `Answers with how many there are, and goes on in the background; see the redelivery for its progress. With
\`dry: true\` it only counts. The filter \`{}\` selects all. Letters that fail while it runs are not among them. Of several
letters of one event for one endpoint the newest is sent, and all leave the queue. ${IDEMPOTENCY_NOTE}`,
  params: inProject,
  body: z.strictObject({ filter: letterFilter, dry: z.boolean().default(false) }),
  status: 202,
  alsoStatus: 200,
  idempotent: true,
  answer: z.object({ total: z.number().int(), redelivery: redelivery.nullable() }),
  problems: ['idempotency_conflict'],
});

const inRedelivery = inProject.extend({ redelivery: id });

export const listRedeliveries = route({
  name: 'listRedeliveries',
  method: 'GET',
  path: '/projects/{project}/redeliveries',
  access: 'read',
  summary: 'Lists bulk redeliveries, newest first',
  params: inProject,
  query: pageQuery,
  answer: pageOf(redelivery),
  problems: ['invalid_cursor'],
});

export const getRedelivery = route({
  name: 'getRedelivery',
  method: 'GET',
  path: '/projects/{project}/redeliveries/{redelivery}',
  access: 'read',
  summary: 'Shows a bulk redelivery with its progress',
  params: inRedelivery,
  answer: progress,
});

export const stopRedelivery = route({
  name: 'stopRedelivery',
  method: 'POST',
  path: '/projects/{project}/redeliveries/{redelivery}/stop',
  access: 'manage',
  summary: 'Stops a bulk redelivery',
  description: 'Once this is answered it sends no more letters again; those that it has sent go on.',
  params: inRedelivery,
  answer: progress,
});

const skipped = z.object({
  endpoint_id: z.string(),
  reason: z.enum(['paused', 'deleted', 'not_subscribed']),
});

/** A replay as the API shows it. */
export const replay = z.object({
  id: z.string(),
  event_id: z.string(),
  rules: z.enum(['recorded', 'again']),
  /** The version of the rules whose decision was sent. */
  rules_version: z.number().int().nullable(),
  outcome: z.enum(['deliver', 'drop']),
  /** Its position in the log that SDK clients read; null where they do not get it. */
  position: z.number().int().nullable(),
  deliveries: z.array(z.object({ id: z.string(), endpoint_id: z.string() })),
  /** Endpoints of the decision that get nothing. */
  skipped: z.array(skipped),
  created_at: instant,
});
export type ReplayView = z.output<typeof replay>;

export const replayEvent = route({
  name: 'replayEvent',
  method: 'POST',
  path: '/projects/{project}/events/{event}/replay',
  access: 'manage',
  summary: 'Sends an event again, to endpoints and SDK clients, with the origin replay',
  description: `\`recorded\` sends what was decided then, to the endpoints that got it then or to those named; \`again\`
decides again, by the rules of today. A paused endpoint gets it only where it is named. A dropped event can be replayed with
\`again\`, or to named endpoints, and then to those alone. What the rules of today drop is sent to nobody. ${IDEMPOTENCY_NOTE}`,
  params: inProject.extend({ event: eventId }),
  body: z
    .strictObject({
      endpoint_ids: z.array(id).min(1).max(1_000).optional(),
      rules: z.enum(['recorded', 'again']).default('recorded'),
    })
    .default({ rules: 'recorded' }),
  status: 202,
  idempotent: true,
  answer: replay,
  problems: ['conflict', 'idempotency_conflict', 'too_many_requests', 'overloaded'],
});

const replayFilter = eventFilter
  .extend({
    status: z.enum(['processed', 'dropped']).optional(),
    missed_by: id
      .optional()
      .describe('Id of an endpoint that should have received the event and has no successful delivery of it'),
    match: z.unknown().optional().meta({ $ref: '#/$defs/match' }),
  })
  .describe('The conditions of the list and of the search; `{}` selects every decided event');
export type ReplayFilter = z.output<typeof replayFilter>;

const replayedComparison = z
  .strictObject({
    id,
    groups: z
      .array(comparisonGroup.exclude(['same']))
      .min(1)
      .max(5),
  })
  .describe('In place of `filter`: the events in these groups of a comparison; see `compareRules`');
export type ReplayedComparison = z.output<typeof replayedComparison>;

const ofReplay = {
  events: z.number().int().describe('Events that would be replayed'),
  deliveries: z
    .number()
    .int()
    .nullable()
    .describe('Deliveries that would be made; null if the rules of today choose the endpoints'),
  skipped: z.number().int().describe('Events that meet the filter and would not be replayed'),
  at_least: z.boolean().describe('The counts go up to `scanned_to` alone, and there are events after it'),
  scanned_to: instant.nullable().describe('How far the events were counted; null if all were'),
};

/** A replay of many events as the API shows it. */
export const bulkReplay = z.object({
  id: z.string(),
  filter: z.record(z.string(), z.unknown()),
  comparison: replayedComparison.nullable(),
  rules: z.enum(['recorded', 'again']),
  endpoint_ids: z.array(z.string()).nullable(),
  state: z.enum(['running', 'stopped', 'done']),
  total: z.number().int().describe('Events to replay, as they were counted when it began'),
  at_least: z.boolean().describe('There were more events than were counted'),
  scanned: z.number().int().describe('Events that were looked at so far'),
  scanned_to: instant
    .nullable()
    .describe('All older events were looked at; null before the first and after the last'),
  replayed: z.number().int().describe('Events that were replayed so far'),
  skipped: z.number().int().describe('Events that meet the filter and were not replayed'),
  deliveries: z
    .number()
    .int()
    .describe('Deliveries that were made so far: `pending`, `delivered` and `failed` ones'),
  created_at: instant,
  created_by: z.string(),
  ended_at: instant.nullable(),
});
export type BulkReplayView = z.output<typeof bulkReplay>;
const replayProgress = bulkReplay.extend(ofDeliveries);

export const replayEvents = route({
  name: 'replayEvents',
  method: 'POST',
  path: '/projects/{project}/replays',
  access: 'manage',
  summary:
    'Replays all events that meet a filter, or groups of a comparison, oldest first, in the background',
  description: `\`rules\` and \`endpoint_ids\` are as for one event, except that events for named endpoints go to those alone, not to
SDK clients. With \`missed_by\` and no \`endpoint_ids\`, the events go to that endpoint alone. An endpoint missed an event if the event was
processed, no delivery of it to the endpoint was successful or is pending, and it was meant for the endpoint: one of its deliveries
failed, or the decision names the endpoint or nobody and the endpoint is subscribed to its topic today. So events that came during a pause
were missed, and so were those from before the endpoint was made; dropped ones were not.
Events that are decided after the replay has begun are not part of it. With \`recorded\`, dropped events are not selected unless
\`endpoint_ids\` names who gets them; with \`again\`, each event is decided by the rules that are in force when its turn comes, and those that
they drop are skipped. With \`dry: true\` it only counts: up to 50,000 events, and \`at_least\` tells if there are more. A replay makes at
most as many deliveries a second as \`HEADGATE_REPLAY_RATE\` says, and waits while the first attempts of its last deliveries are pending, so that
fresh events are not delayed. A project has at most 20 that run. ${IDEMPOTENCY_NOTE}`,
  params: inProject,
  body: z
    .strictObject({
      filter: replayFilter.optional(),
      comparison: replayedComparison.optional(),
      rules: z.enum(['recorded', 'again']).default('recorded'),
      endpoint_ids: z.array(id).min(1).max(1_000).optional(),
      dry: z.boolean().default(false),
    })
    .refine(({ filter, comparison }) => (filter === undefined) !== (comparison === undefined), {
      message: 'give either filter or comparison',
      path: ['filter'],
    })
    .meta({ example: { filter: {} } }),
  maxBytes: 131_072,
  status: 202,
  alsoStatus: 200,
  idempotent: true,
  answer: z.object({ ...ofReplay, replay: bulkReplay.nullable() }),
  problems: [
    ...(['invalid_json', 'body_too_large', 'unsupported_media_type', 'invalid_rule'] as const),
    ...(['conflict', 'idempotency_conflict', 'too_many_requests', 'overloaded'] as const),
  ],
});

const inReplay = inProject.extend({ replay: id });

export const listReplays = route({
  name: 'listReplays',
  method: 'GET',
  path: '/projects/{project}/replays',
  access: 'read',
  summary: 'Lists replays of many events, newest first',
  params: inProject,
  query: pageQuery,
  answer: pageOf(bulkReplay),
  problems: ['invalid_cursor'],
});

export const getReplay = route({
  name: 'getReplay',
  method: 'GET',
  path: '/projects/{project}/replays/{replay}',
  access: 'read',
  summary: 'Shows a replay of many events with its progress',
  params: inReplay,
  answer: replayProgress,
});

export const stopReplay = route({
  name: 'stopReplay',
  method: 'POST',
  path: '/projects/{project}/replays/{replay}/stop',
  access: 'manage',
  summary: 'Stops a replay of many events',
  description: 'Once this is answered it replays no more events; deliveries that it has made go on.',
  params: inReplay,
  answer: replayProgress,
});

/** All routes of this module. */
export const deliveringRoutes = {
  listDeliveries,
  listEventAttempts,
  getDelivery,
  retryDelivery,
  listDeadLetters,
  countDeadLetters,
  discardDeadLetters,
  redeliverDeadLetters,
  listRedeliveries,
  getRedelivery,
  stopRedelivery,
  replayEvent,
  replayEvents,
  listReplays,
  getReplay,
  stopReplay,
};
