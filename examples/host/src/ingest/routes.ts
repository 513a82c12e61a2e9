/** The routes by which events come in. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { id, inProject, line } from '../api/shapes.js';

/** An address, or the id of a channel. */
const channel = z.string().regex(/^[\w-]{1,64}$/);

/** The answer to an event that was taken. */
const accepted = z.object({
  id: z.string(),
  status: z.enum(['received', 'processed', 'dropped']),
  /** True if an earlier request made the event. */
  duplicate: z.boolean(),
});

export const ingest = route({
  name: 'ingest',
  method: 'POST',
  path: '/in/{channel}',
  access: 'anybody',
  summary: 'Takes an event',
  description: `\`{channel}\` is the last part of the channel's address, or its id together with a key of scope \`ingest\`.
JSON, forms and text are taken, in UTF-8. The answer comes once the event is on the disk; rules decide afterwards. A second
request with one \`Idempotency-Key\`, or with one delivery id of the provider, makes no second event within 24 hours.`,
  params: z.object({ channel }),
  body: 'raw',
  status: 202,
  idempotent: true,
  answer: accepted,
  problems: [
    'invalid_json',
    'unauthorized',
    'signature_invalid',
    'forbidden',
    'not_found',
    'idempotency_conflict',
    'body_too_large',
    'unsupported_media_type',
    'too_many_requests',
    'overloaded',
  ],
});

/** Names that the service uses itself. */
const RESERVED = /^(?:webhook|endpoint|headgate)\./;

/** The type of an event that is published. */
export const publishedType = z
  .string()
  .max(128)
  .regex(
    /^[\w-]+(?:\.[\w-]+)*$/,
    'letters, digits, _ and -, in parts with dots between, such as invoice.paid',
  )
  .refine(
    (type) => !RESERVED.test(type),
    'webhook., endpoint. and headgate. are reserved: choose another type',
  )
  .describe(
    'What happened, such as `invoice.paid`; it is also the topic. Not `webhook.…`, `endpoint.…` or `headgate.…`',
  )
  .meta({ examples: ['invoice.paid'] });

/** An event that is published. */
export const published = z.strictObject({
  type: publishedType,
  data: z.looseObject({}).describe('Delivered as it is written, with all digits of its numbers'),
  tags: z.array(z.string().min(1).max(100)).max(50).optional(),
  ordering_key: line(256)
    .optional()
    .describe('An endpoint with `ordering: "key"` gets the events of a key one at a time, in order'),
  channel_id: id
    .optional()
    .describe('A channel of type `api`, whose secrets sign; the first one unless given'),
  idempotency_key: z
    .string()
    .regex(/^[!-~]{1,255}$/, '1 to 255 visible ASCII characters')
    .optional()
    .describe('In a batch: as `Idempotency-Key` of a request with this event alone'),
});
export type Published = z.output<typeof published>;

export const publishEvent = route({
  name: 'publishEvent',
  method: 'POST',
  path: '/projects/{project}/events',
  access: 'ingest',
  summary: 'Publishes an event',
  description: `The answer comes once the event is on the disk; rules decide afterwards, and then it goes to every endpoint that is
subscribed to its type. If the project lists the type as strict, \`data\` must match its schema. Send an \`Idempotency-Key\` if you repeat requests: within 24 hours, the same key makes no second event.`,
  params: inProject,
  body: published.omit({ idempotency_key: true }),
  verbatim: true,
  status: 202,
  idempotent: true,
  answer: accepted,
  problems: ['idempotency_conflict', 'body_too_large', 'invalid_event', 'overloaded'],
});

/** Most events of a batch. */
export const MAX_PUBLISHED = 100;

const result = z.union([
  accepted,
  z.object({
    problem: z.object({
      code: z.string(),
      status: z.number().int(),
      detail: z.string(),
      issues: z.array(z.object({ code: z.string(), pointer: z.string(), message: z.string() })),
    }),
  }),
]);
export type PublishedResult = z.output<typeof result>;

export const publishEvents = route({
  name: 'publishEvents',
  method: 'POST',
  path: '/projects/{project}/events/batch',
  access: 'ingest',
  summary: 'Publishes up to 100 events',
  description: `Each event is answered on its own, in the order of the request: one that is refused has a \`problem\`, and the others
are stored. Events of one request may be decided in any order. A batch has at most 5 MiB.`,
  params: inProject,
  body: z.strictObject({ events: z.array(published).min(1).max(MAX_PUBLISHED) }),
  verbatim: true,
  status: 202,
  answer: z.object({ results: z.array(result) }),
  problems: ['body_too_large', 'overloaded'],
});

/** Most headers of a sample. */
const MAX_HEADERS = 20;

/** A sample, sent to try a channel. */
export const sample = z.strictObject({
  type: publishedType
    .optional()
    .describe('For a channel of type `api`, which needs it; `webhook` takes none'),
  headers: z
    .record(z.string().regex(/^[\w-]{1,100}$/), z.string().regex(/^[ -~]{0,1000}$/))
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `at most ${MAX_HEADERS} headers`)
    .optional()
    .describe('For a channel of type `webhook`: headers of the provider, such as `x-github-event`'),
  payload: z
    .looseObject({})
    .describe('The JSON that the provider sends; for the type `api`, the `data` of the event'),
});
export type Sample = z.output<typeof sample>;

export const sendSample = route({
  name: 'sendSample',
  method: 'POST',
  path: '/projects/{project}/channels/{channel}/samples',
  access: 'manage',
  summary: 'Sends a sample through a channel, as if its sender had sent it',
  description: `It needs no signature and no key, and becomes an event like any other, with the tag \`sample\`. Equal samples are
events of their own, even if they have the same id of the provider.`,
  params: inProject.extend({ channel: id }),
  body: sample,
  verbatim: true,
  status: 202,
  answer: accepted,
  problems: ['body_too_large', 'invalid_event', 'overloaded'],
});

/** All routes of this module. */
export const ingestRoutes = { ingest, publishEvent, publishEvents, sendSample };
