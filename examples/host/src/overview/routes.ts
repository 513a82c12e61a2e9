/** The routes of the overview: how a project does at a glance, and what needs attention. */
import { z } from 'zod';
import { alert } from '../alerts/routes.js';
import { route } from '../api/route.js';
import { inProject, instant } from '../api/shapes.js';

/** The times that an overview is about, each in spans of equal length; the last one has now in it. */
export const WINDOWS = {
  '1h': { buckets: 60, bucketMinutes: 1 },
  '24h': { buckets: 48, bucketMinutes: 30 },
  '7d': { buckets: 56, bucketMinutes: 180 },
  '30d': { buckets: 60, bucketMinutes: 720 },
} as const;

/** Things are counted to this many. */
export const MOST_COUNTED = 1_000;
/** Endpoints, alerts and rules of each kind that an overview names. */
export const MOST_NAMED = 5;

const number = z.number().int();
const capped = number.describe(`Up to ${MOST_COUNTED}`);
const ms = z.number().nullable();
const counts = {
  processed: number,
  dropped: number,
  delivered: number.describe('Deliveries that an endpoint accepted'),
  retried: number.describe('Attempts that failed, and were to be repeated'),
  failed: number.describe('Deliveries whose last attempt failed'),
  p50_ms: ms,
  p95_ms: ms,
};
const failing = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(['active', 'paused']),
  failing_since: instant,
  failures: z
    .array(z.object({ code: z.string(), attempts: number }))
    .describe('The causes of its newest failures, most frequent first'),
});

const overview = z.object({
  from: instant,
  to: instant,
  bucket_seconds: number,
  ...counts,
  series: z
    .array(z.object({ at: instant, ...counts }))
    .describe('Spans of equal length, oldest first; the last one has now in it'),
  backlog: z.object({
    undecided: capped.describe(`Events whose rules have not been evaluated, up to ${MOST_COUNTED}`),
    pending: capped.describe(`Deliveries that have not ended, up to ${MOST_COUNTED}`),
    oldest_pending_at: instant.nullable().describe('When the oldest of these was made'),
  }),
  dead_letters: capped,
  failing_endpoints: z.object({
    count: capped,
    items: z.array(failing).describe('Those that have failed the longest'),
  }),
  alerts: z.object({ count: capped, items: z.array(alert).describe('The newest that are not dismissed') }),
  rules: z.object({
    plan: z.string(),
    used: number,
    limit: number.nullable().describe('Null if the plan has none'),
    matched: z
      .array(z.object({ id: z.string(), name: z.string(), matched: number }))
      .describe('Those that matched most in this time'),
    unmatched: z.object({
      count: number,
      items: z
        .array(z.object({ id: z.string(), name: z.string(), last_matched_at: instant.nullable() }))
        .describe('The first enabled rules that have not matched in this time'),
    }),
  }),
});
export type Overview = z.output<typeof overview>;

export const getOverview = route({
  name: 'getOverview',
  method: 'GET',
  path: '/projects/{project}/overview',
  access: 'read',
  summary: 'Shows how a project does: events, deliveries, latency, backlog, and what needs attention',
  description:
    'Everything is read from counts by the minute and by the half hour, so an answer takes as long for ten events as for ten ' +
    'million. Events count by the time at which they were received, attempts and deliveries by the time at which they ended; ' +
    'tests do not count. p50 and p95 are of the durations of attempts. Of the rules, the first ten thousand count; the ones that ' +
    'matched most are found among the fifty that have matched most in all.',
  params: inProject,
  query: z.object({ window: z.enum(['1h', '24h', '7d', '30d']).default('24h') }),
  answer: overview,
});

export const getAttention = route({
  name: 'getAttention',
  method: 'GET',
  path: '/projects/{project}/attention',
  access: 'read',
  summary: `Counts what needs attention, each up to ${MOST_COUNTED}`,
  params: inProject,
  answer: z.object({
    alerts: number.describe('Alerts that are not dismissed'),
    failing_endpoints: number,
    dead_letters: number,
  }),
});
export type Attention = z.output<(typeof getAttention)['answer']>;

/** All routes of this module. */
export const overviewRoutes = { getOverview, getAttention };
