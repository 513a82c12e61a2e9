/** The routes of deliveries, dead letters and redeliveries. */
import { z } from 'zod';
import { route } from '../api/route.js';
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
export const IDEMPOTENCY_NOTE =
  'With an `Idempotency-Key`, a repeated request within 24 hours does nothing more and gets the first answer.';

/** Most deliveries that are counted behind a letter. */
export const MOST_BEHIND = 100;

/** A delivery as the API shows it. */
export const delivery = z.object({
  id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  topic: z.string().describe('That of the event, or its type once the event is gone'),
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
  /** True for a failed one that was neither redelivered nor discarded. */
  is_dead_letter: z.boolean(),
  redelivery_id: z
    .string()
    .nullable()
    .describe('The bulk redelivery, or the replay of many events, that made it'),
  order: z
    .object({
      key: z.string().describe('`endpoint` where the endpoint orders all of its events'),
      is_waiting: z.boolean().describe('Whether it waits for an earlier delivery with the same key'),
      is_holding: z
        .boolean()
        .describe('Whether later deliveries with the same key wait until a person has dealt with this one'),
    })
    .nullable()
    .describe('Deliveries to one endpoint with the same key are sent one at a time; null without a key'),
  created_at: instant,
  finished_at: instant.nullable(),
});
export type DeliveryView = z.output<typeof delivery>;

const attempt = z.object({
  number: z.number().int(),
  /** The URL that was used, without its query; null if nothing was sent. */
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
  portal: 'viewer',
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
  portal: 'viewer',
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
  portal: 'viewer',
  summary: 'Shows a delivery with all its attempts, and when the next one is due',
  params: inDelivery,
  answer: delivery.extend({ history: z.array(attempt) }),
});

const content = z.object({
  encoding: z.enum(['utf8', 'base64']).describe('`base64`: the bytes are not UTF-8'),
  text: z.string(),
});
const headers = z.array(z.object({ name: z.string(), value: z.string() }));
const ms = z.number().nullable();

/** The request and the response of an attempt. */
export const exchange = z.object({
  request: z
    .object({
      target: z.string().describe('The path and the query'),
      headers: headers.describe(
        'As they were sent, in their order; the values of the headers of the endpoint are masked',
      ),
      body: content
        .nullable()
        .describe('Null for an alert, and if the delivery that this one repeats is deleted'),
    })
    .nullable()
    .describe('Null if nothing was sent'),
  response: z
    .object({
      status: z.number().int(),
      headers,
      body: content.describe('At most its first 16 KiB, not decompressed'),
      is_complete: z.boolean().describe('`false`: the body was longer, or did not end within a second'),
    })
    .nullable()
    .describe('Null if the headers of the response were not complete'),
  timings: z
    .object({ dns_ms: ms, connect_ms: ms, tls_ms: ms, first_byte_ms: ms, total_ms: ms })
    .describe(
      'Milliseconds of each step; null for a step that was not taken. A connection that was used before has no first three. `first_byte_ms` is from the written request to complete response headers',
    ),
});
export type ExchangeView = z.output<typeof exchange>;

export const getAttempt = route({
  name: 'getAttempt',
  method: 'GET',
  path: '/projects/{project}/deliveries/{delivery}/attempts/{attempt}',
  access: 'read',
  portal: 'viewer',
  summary: 'Shows an attempt with what was sent and received',
  params: inDelivery.extend({ attempt: z.coerce.number().int().min(1).max(100) }),
  answer: attempt.extend({
    exchange: exchange
      .nullable()
      .describe('Null if the endpoint has `exchange: false`, nothing was sent, or no sealing key opens it'),
    exchange_missing: z
      .enum(['nothing_sent', 'not_kept', 'sealed'])
      .nullable()
      .describe(
        'Why there is no `exchange`: nothing was sent, it was not kept, or no sealing key opens it; null if there is one',
      ),
  }),
});

export const retryDelivery = route({
  name: 'retryDelivery',
  method: 'POST',
  path: '/projects/{project}/deliveries/{delivery}/retry',
  access: 'manage',
  portal: 'owner',
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
  /** `holding`: those for which later deliveries with the same ordering key wait. */
  order: z.literal('holding').optional(),
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

/** A delivery in the list of dead letters. */
const letter = delivery.extend({
  waiting_behind: z
    .number()
    .int()
    .describe(`Deliveries that wait for it, of which at most ${MOST_BEHIND} are counted`),
});
export type LetterView = z.output<typeof letter>;

export const listDeadLetters = route({
  name: 'listDeadLetters',
  method: 'GET',
  path: '/projects/{project}/dead-letters',
  access: 'read',
  portal: 'viewer',
  summary: 'Lists dead letters, newest failure first',
  description: `A page looks at 5,000 letters at most. If few of them match the filter, it is short, or empty, and has a
\`next\` all the same; \`scanned_to\` says how far back it has looked.`,
  params: inProject,
  query: pageQuery.extend(letterQuery.shape),
  answer: pageOf(letter).extend({ scanned_to: instant.nullable() }),
  problems: ['invalid_cursor'],
});

export const countDeadLetters = route({
  name: 'countDeadLetters',
  method: 'GET',
  path: '/projects/{project}/dead-letters/count',
  access: 'read',
  portal: 'viewer',
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
  /** Letters that were redelivered so far: delivered, failed and pending ones together. */
  redelivered: z.number().int(),
  created_at: instant,
  created_by: z.string(),
  ended_at: instant.nullable(),
});
export type RedeliveryView = z.output<typeof redelivery>;
/** The deliveries of a bulk action by their state. */
export const ofDeliveries = {
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
  portal: 'owner',
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
  portal: 'viewer',
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
  portal: 'viewer',
  summary: 'Shows a bulk redelivery with its progress',
  params: inRedelivery,
  answer: progress,
});

export const stopRedelivery = route({
  name: 'stopRedelivery',
  method: 'POST',
  path: '/projects/{project}/redeliveries/{redelivery}/stop',
  access: 'manage',
  portal: 'owner',
  summary: 'Stops a bulk redelivery',
  description: 'Once this is answered it sends no more letters again; those that it has sent go on.',
  params: inRedelivery,
  answer: progress,
});

/** All routes of this module, except those of replays. */
export const deliveringRoutes = {
  listDeliveries,
  listEventAttempts,
  getDelivery,
  getAttempt,
  retryDelivery,
  listDeadLetters,
  countDeadLetters,
  discardDeadLetters,
  redeliverDeadLetters,
  listRedeliveries,
  getRedelivery,
  stopRedelivery,
};
