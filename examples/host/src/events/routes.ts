/** The routes of events: lists, one event, search, the live tail, replies. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { eventId, id, inProject, instant, instantIn, line, pageOf, pageQuery } from '../api/shapes.js';

const STATUSES = ['received', 'processed', 'dropped'] as const;
const status = z.enum(STATUSES);
/** How an event stands: see outcome.ts. */
export const OUTCOMES = [
  'delivered',
  'retrying',
  'failing',
  'delivering',
  'no_endpoint',
  'dropped',
  'not_decided',
] as const;
export const outcome = z.enum(OUTCOMES);
export type Outcome = z.output<typeof outcome>;
const ofEvent = inProject.extend({ event: eventId });
const MAX_TAGS = 10;
/** A text that stands for itself as JSON, as it does in a fact, so it may hold anything. */
const tag = z.string().min(1).max(200);

/** The conditions of a list; an event must meet all that are given. */
const conditions = {
  status: status.optional(),
  outcome: outcome.optional().describe('How the event stands, by the newest delivery to each endpoint'),
  type: line(200).optional(),
  topic: z
    .string()
    .min(1)
    .max(256)
    .refine((text) => !text.includes('\0') && !/\p{Cs}/u.test(text), 'no NUL, and no half of a character')
    .optional()
    .describe('What happened, in the words of the sender'),
  channel: id.optional().describe('Id of the channel that it came in by'),
  tag: z
    .union([tag.transform((one) => [one]), z.array(tag).min(1).max(MAX_TAGS)])
    .optional()
    .describe('Give it several times for events that have all of these tags'),
  rule: id.optional().describe('Id of a rule that matched'),
  endpoint: id.optional().describe('Id of an endpoint that the decision delivers to'),
  id: z
    .string()
    .regex(/^evt_[\dA-HJKMNP-TV-Z]{0,26}$/, 'an id of an event, or its beginning')
    .optional(),
  from: instantIn.optional().describe('Received at this instant or later'),
  to: instantIn.optional().describe('Received before this instant'),
};
/** The conditions of a list. */
export const eventFilter = z.strictObject(conditions);
export type EventFilter = z.output<typeof eventFilter>;

const named = z.object({ id: z.string(), name: z.string().nullable() });
const deliveryCounts = z
  .object({ pending: z.number().int(), delivered: z.number().int(), failed: z.number().int() })
  .describe('The endpoints by the state of their newest delivery of the event, of its newest hundred');

/** An event as lists and the tail show it. */
export const eventItem = z.object({
  id: z.string(),
  type: z.string(),
  topic: z.string(),
  channel: named.nullable(),
  received_at: instant,
  status,
  tags: z.array(z.string()),
  dropped_by: named.nullable().describe('The rule that dropped it, with its name of then'),
  matched: z.array(named).describe('The first hundred rules that matched, with their names of then'),
  matched_count: z.number().int().describe('All rules that matched'),
  deliveries: deliveryCounts,
  outcome: outcome.describe(
    'By the status and the newest delivery to each endpoint, of the newest hundred deliveries; the worst endpoint decides',
  ),
});
export type EventItem = z.output<typeof eventItem>;

const page = pageOf(eventItem).extend({
  scanned_to: instant
    .nullable()
    .describe('How far the page looked, where there is a `next`; a page may have fewer items than `limit`'),
  tail_position: z
    .number()
    .int()
    .nullable()
    .describe(
      'On a first page: it holds everything that was decided up to this position of the live tail. Null on later pages',
    ),
});
export type EventPage = z.output<typeof page>;

const BOUNDS =
  'A page reads a bounded number of rows and bytes, however rare the events are that match all conditions: it may have ' +
  'fewer items than `limit`, even none, and a `next` to go on with from `scanned_to`. Without a `next` the list has ended.';

export const listEvents = route({
  name: 'listEvents',
  method: 'GET',
  path: '/projects/{project}/events',
  access: 'read',
  portal: 'viewer',
  summary: 'Lists events, newest first, by any combination of conditions',
  description: BOUNDS,
  params: inProject,
  query: eventFilter.extend(pageQuery.shape),
  answer: page,
  problems: ['invalid_cursor'],
});

const searchedPage = page.extend({
  scanned: z.number().int().describe('Events whose content was looked at'),
});
export type SearchedPage = z.output<typeof searchedPage>;

export const searchEvents = route({
  name: 'searchEvents',
  method: 'POST',
  path: '/projects/{project}/events/search',
  access: 'read',
  summary: 'Searches events by a match tree, the language of rules, newest first',
  description:
    'Matches events as rules saw them: as persisted. The other members are the conditions of the list. ' +
    'A call looks at some thousand events at most, and for less than a tenth of a second: it may have fewer items than ' +
    '`limit`, even none, and a `next` to go on with from `scanned_to`. Without a `next` the search has ended. ' +
    'With `Accept: text/event-stream` the call continues until it has found `limit` events, is at the end, or has taken ' +
    '30 seconds; closing the connection stops it. A project has at most 4 such searches in a process. ' +
    'A pattern that takes more than a fiftieth of the work that rules may do does not match.',
  params: inProject,
  body: eventFilter.extend({
    match: z.unknown().meta({ $ref: '#/$defs/match' }),
    limit: z.number().int().min(1).max(200).default(50),
    cursor: z.string().max(500).optional(),
  }),
  maxBytes: 65_536,
  answer: searchedPage,
  events: {
    progress: 'JSON of a page: the events found since the one before, and how far the search is',
    report: 'the JSON of the last page, as the last event',
    problem: 'the JSON of a problem instead of the report, as the last event',
  },
  problems: [
    'invalid_json',
    'body_too_large',
    'unsupported_media_type',
    'invalid_cursor',
    'invalid_rule',
    'too_many_requests',
    'overloaded',
  ],
});

const delivery = z.object({
  id: z.string(),
  endpoint_id: z.string(),
  origin: z.string(),
  state: z.string(),
  attempts: z.number().int(),
  due_at: instant.nullable(),
  failure: z.string().nullable(),
  status_code: z.number().int().nullable(),
  redelivery_id: z.string().nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
});
const replay = z.object({
  id: z.string(),
  rules: z.string(),
  rules_version: z.number().int().nullable(),
  created_at: instant,
  created_by: z.string(),
});
/** A reply of an SDK client. */
export const reply = z.object({
  id: z.string(),
  client: z.string(),
  reply_id: z.string(),
  payload: z.unknown(),
  received_at: instant,
});

/** An event with everything that happened to it. */
export const wholeEvent = z.object({
  id: z.string(),
  type: z.string(),
  topic: z.string(),
  channel: z
    .object({ id: z.string(), type: z.enum(['webhook', 'api']), name: z.string().nullable() })
    .nullable(),
  received_at: instant,
  status,
  outcome: outcome.describe('As in the list'),
  tags: z.array(z.string()),
  data: z.unknown().describe('As persisted, and as rules saw it'),
  projected: z.unknown().describe('`data` as transforms left it; null if none changed it'),
  raw_payload: z.unknown().describe('The request; null for an event that no request brought'),
  decision: z
    .object({
      matched: z
        .array(z.object({ id: z.string(), name: z.string(), action: z.string() }))
        .describe('The first thousand rules that matched, and the rule that dropped the event'),
      matched_count: z.number().int().describe('All rules that matched'),
      dropped_by: named.nullable(),
      endpoint_ids: z.array(z.string()).nullable().describe('Null: every endpoint that was active'),
      limits: z
        .array(z.unknown())
        .describe(
          'The first hundred conditions and operations that met a work budget: that of their rule, or that of the event',
        ),
      limits_count: z.number().int().describe('All conditions and operations that met one'),
      rules_version: z.number().int(),
      decided_at: instant,
    })
    .nullable()
    .describe('Null until the event is decided'),
  deliveries: z.array(delivery).describe('The newest hundred'),
  replays: z.array(replay).describe('The newest hundred'),
  replies: z
    .array(reply)
    .describe('The newest hundred, or fewer if they have more than 1 MiB; the list of replies has all'),
});

export const getEvent = route({
  name: 'getEvent',
  method: 'GET',
  path: '/projects/{project}/events/{event}',
  access: 'read',
  portal: 'viewer',
  summary: 'Shows an event with its decision, deliveries, replays and replies',
  params: ofEvent,
  answer: wholeEvent,
});

export const listReplies = route({
  name: 'listReplies',
  method: 'GET',
  path: '/projects/{project}/events/{event}/replies',
  access: 'read',
  summary: 'Lists what SDK clients have replied to an event, newest first',
  params: ofEvent,
  query: pageQuery,
  answer: pageOf(reply),
  problems: ['invalid_cursor'],
});

export const tailEvents = route({
  name: 'tailEvents',
  method: 'GET',
  path: '/projects/{project}/tail',
  access: 'read',
  portal: 'viewer',
  summary: 'Watches events as they are decided, dropped ones too, as server-sent events',
  description:
    'The conditions are those of the list. After a pause, `Last-Event-ID` goes on after that item, as long as it is among ' +
    'the last 512 batches of the project. A `beat` comes at once and then every second; silence means that the connection ' +
    'is dead. The stream ends when its key or session does. A project has at most 50 streams in a process.',
  params: inProject,
  query: eventFilter,
  produces: 'text/event-stream',
  events: {
    event: 'JSON of an item of the list',
    beat: 'JSON of `{ position }`: the stream has given everything that was decided up to there',
    skipped:
      'JSON of `{ count }`, for a reader that did not keep up; `count` is null if nobody knows how many',
  },
  problems: ['too_many_requests'],
});

/** The spans over which events are counted. */
export const SERIES_PERIODS = {
  hour: { buckets: 60, bucketMinutes: 1 },
  day: { buckets: 48, bucketMinutes: 30 },
  week: { buckets: 56, bucketMinutes: 180 },
  month: { buckets: 60, bucketMinutes: 720 },
} as const;
export type SeriesPeriod = keyof typeof SERIES_PERIODS;

const series = z.object({
  from: instant,
  to: instant,
  bucket_seconds: z.number().int(),
  processed: z.number().int(),
  dropped: z.number().int(),
  series: z
    .array(z.object({ at: instant, processed: z.number().int(), dropped: z.number().int() }))
    .describe('Spans of equal length, oldest first, also those without events; the last one has now in it'),
});
export type EventSeries = z.output<typeof series>;

export const eventSeries = route({
  name: 'eventSeries',
  method: 'GET',
  path: '/projects/{project}/events/series',
  access: 'read',
  summary: 'Counts decided events over a period, by the time at which they were received',
  params: inProject,
  query: z.object({ period: z.enum(['hour', 'day', 'week', 'month']).default('day') }),
  answer: series,
});

export const listEventValues = route({
  name: 'listEventValues',
  method: 'GET',
  path: '/projects/{project}/events/values',
  access: 'read',
  summary:
    'Lists the types, the topics or the tags that decided events have, in the order of their characters',
  params: inProject,
  query: z.object({
    of: z.enum(['type', 'topic', 'tag']).default('type'),
    prefix: z.string().max(200).default(''),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  answer: z.object({ items: z.array(z.string()) }),
});

/** All routes of this module. Paths with a word come before those with an event's id. */
export const eventRoutes = {
  ...{ listEvents, searchEvents, eventSeries, listEventValues },
  ...{ getEvent, listReplies, tailEvents },
};
