/** The routes of endpoints. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { id, inProject, instant, line, pageOf, pageQuery } from '../api/shapes.js';
import { rotation, signingSecret, signingSecrets } from '../signing-secrets/routes.js';

const attempts = z.number().int().min(1).max(100);
const backoff = z.number().int().min(1).max(86_400);
/** From one an hour to 10,000 a second. */
const rate = z
  .number()
  .min(1 / 3_600)
  .max(10_000)
  .nullable();
/** Whether the Retry-After of an answer with status 429 or 503 lengthens the delay after it. */
const retryAfter = z.enum(['honor', 'ignore']);
/** The seconds before each retry; null for delays that double. */
const retryDelays = z
  .array(z.number().int().min(1).max(2_592_000))
  .min(1)
  .max(20)
  .readonly()
  .nullable()
  .describe(
    'Seconds before each retry, 1 to 20 of them, instead of retry_max_attempts and retry_backoff_base_seconds; null for delays that double',
  );
/** Most code points of a topic. */
const MAX_TOPIC = 128;
const isTopicEntry = (text: string): boolean => !text.replace(/\.\*$/, '').includes('*') && text !== '.*';
const topics = z
  .array(
    line(MAX_TOPIC + 2).refine(
      isTopicEntry,
      'a topic, such as invoice.paid, or a prefix with .*, such as invoice.*; for every topic, set topics to null',
    ),
  )
  .min(1)
  .max(100)
  .readonly()
  .nullable()
  .describe(
    'The topics that it gets: each a topic, or a prefix with `.*` (`invoice.*` covers `invoice.paid`, but not `invoice`); null for every topic',
  );
const purpose = z
  .enum(['events', 'alerts'])
  .describe(
    '`alerts`: gets the alerts of the project, and nothing else. No rule, topic or ordering applies to it, and its own secrets sign',
  );
const signature = z
  .enum(['svc', 'standard_webhooks', 'both'])
  .describe(
    'The headers that sign deliveries: those of the service, those of Standard Webhooks 1.0, or both',
  );
const secret = z
  .enum(['channel', 'endpoint'])
  .describe(
    'Whose secrets sign deliveries: those of the channel of each event, or those of the endpoint itself',
  );
/** Stands in for the value of a header, which is never shown. No value can have these characters. */
export const HEADERS_MASK = '••••••••';
/** The changes of headers: what is not named stays as it is. */
const headerChanges = z
  .record(z.string(), z.string().nullable())
  .describe(
    `Headers of every delivery, at most 20. A text sets a header, null removes it, and ${HEADERS_MASK} leaves it as it is, like a name that is left out`,
  );
const ordering = z
  .enum(['none', 'endpoint', 'key'])
  .describe(
    '`key`: events with the same ordering key arrive one at a time, in the order of the log; `endpoint`: all events do',
  );
const onExhausted = z
  .enum(['continue', 'hold'])
  .describe(
    '`hold`: a dead letter holds its key until it is discarded, or its redelivery has been delivered',
  );
const exchange = z
  .boolean()
  .describe(
    'Whether each attempt keeps its request, the headers of the response and the first 16 KiB of its body, as long as the event is kept',
  );
/** Stored as it is given; what URL would drop or replace is refused. */
const url = z
  .string()
  .max(8_192)
  .refine((text) => !/[\p{Cc}\p{Cs}\s]/u.test(text), 'no white space, and no control characters');

/** An endpoint as the API shows it. */
export const endpoint = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  status: z.enum(['active', 'paused']),
  /** The cause of its pause; null while it is active. */
  paused_by: z.enum(['operator', 'failures']).nullable(),
  retry_max_attempts: attempts,
  retry_backoff_base_seconds: backoff,
  retry_after: retryAfter,
  retry_delays: retryDelays,
  rate_limit_per_second: rate,
  purpose,
  topics,
  ordering,
  on_exhausted: onExhausted,
  signature,
  secret,
  headers: z
    .record(z.string(), z.string())
    .describe(`The headers of every delivery, with ${HEADERS_MASK} for each value`),
  exchange,
  /** Since when all its attempts have failed; null while they do not. */
  failing_since: instant.nullable(),
  version: z.number().int(),
  created_at: instant,
  updated_at: instant,
});
export type Endpoint = z.output<typeof endpoint>;

/** The spans over which health is shown. */
export const PERIODS = {
  hour: { minutes: 60, bucketMinutes: 1 },
  day: { minutes: 1_440, bucketMinutes: 30 },
  week: { minutes: 10_080, bucketMinutes: 180 },
  month: { minutes: 43_200, bucketMinutes: 720 },
} as const;
export type Period = keyof typeof PERIODS;

const estimated = (share: string) =>
  z
    .number()
    .nullable()
    .describe(`Milliseconds in which ${share} of the attempts ended, estimated; null without any`);
const percentiles = {
  p50_ms: estimated('half'),
  p95_ms: estimated('95 %'),
  p99_ms: estimated('99 %'),
};

/** The health of an endpoint: its attempts, and the deliveries that ended. */
export const endpointHealth = z.object({
  from: instant,
  to: instant,
  attempts: z.number().int(),
  failed: z.number().int(),
  delivered: z.number().int().describe('Deliveries that arrived in this time, at whichever attempt'),
  undelivered: z.number().int().describe('Deliveries that failed for good in this time'),
  success_rate: z
    .number()
    .nullable()
    .describe('The share of deliveries that arrived, from 0 to 1, of those that ended; null if none did'),
  /** Mean of all attempts; null without any. */
  mean_ms: z.number().nullable(),
  slowest_ms: z.number().nullable(),
  ...percentiles,
  /** The most frequent first. */
  failures: z.array(z.object({ code: z.string(), attempts: z.number().int() })),
  bucket_seconds: z.number().int(),
  /** Spans of equal length, oldest first, also those without attempts. */
  series: z.array(
    z.object({
      at: instant,
      attempts: z.number().int(),
      failed: z.number().int(),
      mean_ms: z.number().nullable(),
      ...percentiles,
    }),
  ),
});
export type EndpointHealth = z.output<typeof endpointHealth>;

/** The result of a test. */
export const testResult = z.object({
  ok: z.boolean(),
  /** The status of the answer; null without one. */
  status: z.number().int().nullable(),
  /** Why it failed; null if it did not. */
  failure: z.string().nullable(),
  detail: z.string().nullable(),
  ms: z.number(),
  event_id: z.string(),
  /** The channel of the event. */
  channel_id: z.string(),
});
export type TestResult = z.output<typeof testResult>;

const inEndpoint = inProject.extend({ endpoint: id });

export const listEndpoints = route({
  name: 'listEndpoints',
  method: 'GET',
  path: '/projects/{project}/endpoints',
  access: 'read',
  portal: 'viewer',
  summary: 'Lists the endpoints of a project, newest first',
  params: inProject,
  query: pageQuery,
  answer: pageOf(endpoint),
  problems: ['invalid_cursor'],
});

export const createEndpoint = route({
  name: 'createEndpoint',
  method: 'POST',
  path: '/projects/{project}/endpoints',
  access: 'manage',
  portal: 'owner',
  summary: 'Creates an endpoint, which gets new events from now on',
  params: inProject,
  body: z.strictObject({
    url,
    name: line(200).optional(),
    retry_max_attempts: attempts.default(5),
    retry_backoff_base_seconds: backoff.default(60),
    retry_after: retryAfter.default('honor'),
    retry_delays: retryDelays.default(null),
    rate_limit_per_second: rate.default(null),
    purpose: purpose.default('events'),
    topics: topics.default(null),
    ordering: ordering.default('none'),
    on_exhausted: onExhausted.default('continue'),
    signature: signature.default('svc'),
    secret: secret.optional().meta({ description: `${secret.description}; for alerts always the latter` }),
    headers: headerChanges.default({}),
    exchange: exchange.default(true),
  }),
  status: 201,
  answer: endpoint,
  problems: ['invalid_document', 'conflict'],
});

export const getEndpoint = route({
  name: 'getEndpoint',
  method: 'GET',
  path: '/projects/{project}/endpoints/{endpoint}',
  access: 'read',
  portal: 'viewer',
  summary: 'Shows an endpoint',
  params: inEndpoint,
  answer: endpoint,
});

export const updateEndpoint = route({
  name: 'updateEndpoint',
  method: 'PATCH',
  path: '/projects/{project}/endpoints/{endpoint}',
  access: 'manage',
  portal: 'owner',
  summary: 'Changes an endpoint; holds from the next attempt on, also for retries',
  params: inEndpoint,
  body: z
    .strictObject({
      url,
      name: line(200),
      retry_max_attempts: attempts,
      retry_backoff_base_seconds: backoff,
      retry_after: retryAfter,
      retry_delays: retryDelays,
      rate_limit_per_second: rate,
      purpose,
      topics,
      ordering,
      on_exhausted: onExhausted,
      signature,
      secret,
      headers: headerChanges,
      exchange,
    })
    .partial(),
  answer: endpoint,
  versioned: true,
  problems: ['invalid_document', 'conflict', 'version_conflict'],
});

export const deleteEndpoint = route({
  name: 'deleteEndpoint',
  method: 'DELETE',
  path: '/projects/{project}/endpoints/{endpoint}',
  access: 'manage',
  portal: 'owner',
  summary: 'Deletes an endpoint; its pending deliveries fail as endpoint_gone when they are due',
  params: inEndpoint,
  status: 204,
  versioned: true,
  problems: ['version_conflict'],
});

export const pauseEndpoint = route({
  name: 'pauseEndpoint',
  method: 'POST',
  path: '/projects/{project}/endpoints/{endpoint}/pause',
  access: 'manage',
  portal: 'owner',
  summary: 'Pauses an endpoint: new events skip it, and retries that are scheduled still run',
  params: inEndpoint,
  answer: endpoint,
  versioned: true,
  problems: ['version_conflict'],
});

export const resumeEndpoint = route({
  name: 'resumeEndpoint',
  method: 'POST',
  path: '/projects/{project}/endpoints/{endpoint}/resume',
  access: 'manage',
  portal: 'owner',
  summary: 'Resumes an endpoint; events that came meanwhile can be replayed',
  params: inEndpoint,
  answer: endpoint,
  versioned: true,
  problems: ['version_conflict'],
});

export const testEndpoint = route({
  name: 'testEndpoint',
  method: 'POST',
  path: '/projects/{project}/endpoints/{endpoint}/test',
  access: 'manage',
  portal: 'owner',
  summary: 'Sends an event of type endpoint.test to this endpoint alone, once, and answers with the result',
  description:
    'Signed as deliveries are: with the secrets of the channel that the body names, or of the oldest one, or with those of the endpoint. No rule sees the event; neither it nor ' +
    'the attempt is stored. A paused endpoint is tested too.',
  params: inEndpoint,
  body: z.strictObject({ channel_id: id.nullable().default(null) }).default({ channel_id: null }),
  answer: testResult,
  problems: ['conflict', 'too_many_requests'],
});

export const getEndpointHealth = route({
  name: 'getEndpointHealth',
  method: 'GET',
  path: '/projects/{project}/endpoints/{endpoint}/health',
  access: 'read',
  portal: 'viewer',
  summary: 'Shows how the attempts to an endpoint went: success, latency, and failures by cause',
  params: inEndpoint,
  query: z.object({ period: z.enum(['hour', 'day', 'week', 'month']).default('day') }),
  answer: endpointHealth,
});

export const listEndpointHealth = route({
  name: 'listEndpointHealth',
  method: 'GET',
  path: '/projects/{project}/endpoint-health',
  access: 'read',
  portal: 'viewer',
  summary: 'Shows how the attempts to all endpoints went, newest endpoint first, with the cursor of a page',
  params: inProject,
  query: pageQuery.extend({
    limit: z.coerce.number().int().min(1).max(50).default(50),
    period: z.enum(['hour', 'day']).default('hour'),
  }),
  answer: pageOf(
    endpointHealth.extend({
      endpoint_id: z.string(),
      pending: z.number().int().describe('Deliveries that wait for an attempt; counted to 1,000'),
    }),
  ),
  problems: ['invalid_cursor'],
});

export const revealEndpointSecrets = route({
  name: 'revealEndpointSecrets',
  method: 'GET',
  path: '/projects/{project}/endpoints/{endpoint}/secrets',
  access: 'manage',
  portal: 'owner',
  summary: 'Shows the own signing secrets of an endpoint, oldest first; each showing is in the audit log',
  params: inEndpoint,
  answer: signingSecrets,
});

export const rotateEndpointSecret = route({
  name: 'rotateEndpointSecret',
  method: 'POST',
  path: '/projects/{project}/endpoints/{endpoint}/secrets',
  access: 'manage',
  portal: 'owner',
  summary: 'Adds an own signing secret; those before it sign for another 24 hours, or as long as is given',
  description:
    'They sign only if the endpoint has `secret: "endpoint"`. Add one before that to give it to the receiver first.',
  params: inEndpoint,
  body: rotation,
  status: 201,
  answer: signingSecret,
  problems: ['conflict', 'invalid_document'],
});

export const removeEndpointSecret = route({
  name: 'removeEndpointSecret',
  method: 'DELETE',
  path: '/projects/{project}/endpoints/{endpoint}/secrets/{secret}',
  access: 'manage',
  portal: 'owner',
  summary: 'Removes an own signing secret that was replaced, at once',
  params: inEndpoint.extend({ secret: id }),
  status: 204,
  problems: ['conflict'],
});

/** All routes of this module. */
export const endpointRoutes = {
  ...{ listEndpoints, createEndpoint, listEndpointHealth, getEndpoint, updateEndpoint, deleteEndpoint },
  ...{ pauseEndpoint, resumeEndpoint, testEndpoint, getEndpointHealth },
  ...{ revealEndpointSecrets, rotateEndpointSecret, removeEndpointSecret },
};
