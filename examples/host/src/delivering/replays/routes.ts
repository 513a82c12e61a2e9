/** The routes of replays. */
import { z } from 'zod';
import { eventId, id, inProject, instant, pageOf, pageQuery } from '../../api/shapes.js';
import { route } from '../../api/route.js';
import { eventFilter, outcome } from '../../events/routes.js';
import { comparisonGroup } from '../../rules/comparisons/routes.js';
import { IDEMPOTENCY_NOTE, ofDeliveries } from '../routes.js';

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
  /** Its position in the log that SDK clients read; null if they do not get it. */
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
  portal: 'owner',
  summary: 'Sends an event again, to endpoints and SDK clients, with the origin replay',
  description: `\`recorded\` sends what was decided then, to the endpoints that got it then or to those named; \`again\`
decides again, by the rules of today. A paused endpoint gets it only if it is named. A dropped event can be replayed with
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
    outcome: outcome.exclude(['not_decided']).optional(),
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
  .describe('Instead of `filter`: the events in these groups of a comparison; see `createComparison`');
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
  portal: 'owner',
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
  portal: 'viewer',
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
  portal: 'viewer',
  summary: 'Shows a replay of many events with its progress',
  params: inReplay,
  answer: replayProgress,
});

export const stopReplay = route({
  name: 'stopReplay',
  method: 'POST',
  path: '/projects/{project}/replays/{replay}/stop',
  access: 'manage',
  portal: 'owner',
  summary: 'Stops a replay of many events',
  description: 'Once this is answered it replays no more events; deliveries that it has made go on.',
  params: inReplay,
  answer: replayProgress,
});

/** All routes of replays. */
export const replayRoutes = { replayEvent, replayEvents, listReplays, getReplay, stopReplay };
