/** The routes of comparisons: what other rules would have decided, beside what was decided. */
import type { RuleDocument } from 'headgate';
import { z } from 'zod';
import { route } from '../../api/route.js';
import { id, inProject, instant, pageOf, pageQuery } from '../../api/shapes.js';

/** The groups of a comparison. An event that both decisions deliver may be in several of the last three. */
export const comparisonGroup = z.enum([
  'same',
  'would_be_delivered',
  'would_be_dropped',
  'other_endpoints',
  'other_data',
  'other_tags',
]);
export type ComparisonGroup = z.output<typeof comparisonGroup>;

/** A decision as a sample shows it. */
const sampleDecision = z.object({
  outcome: z.enum(['deliver', 'drop']),
  dropped_by: z.string().nullable().describe('Id of the rule that drops the event'),
  tags: z.array(z.string()),
  endpoint_ids: z
    .array(z.string())
    .nullable()
    .describe('The endpoints that rules name; null for every subscribed endpoint'),
});

const sample = z.object({
  id: z.string(),
  type: z.string(),
  topic: z.string(),
  received_at: instant,
  then: sampleDecision,
  now: sampleDecision,
  diff: z
    .array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() }))
    .optional()
    .describe('For `other_data`: the paths in `data` that differ'),
  diff_truncated: z
    .literal(true)
    .optional()
    .describe('`diff` leaves changes out: all together are too large'),
});
export type ComparisonSample = z.output<typeof sample>;

const group = z.object({
  events: z.number().int(),
  samples: z.array(sample).describe('The newest, at most 50; those of all groups have at most 2 MiB'),
});

const counts = {
  scanned: z.number().int().describe('Events that were decided again'),
  undecided: z.number().int().describe('Events that had not been decided yet, and were left out'),
  limits: z.number().int().describe('Events on which a pattern met its work budget'),
};

const summary = z.object({
  id,
  window_hours: z.number().int(),
  from: instant.describe('Events received after this instant were compared'),
  to: instant,
  is_complete: z
    .boolean()
    .describe('False if time ran out before the beginning of the window: `from` says how far it got'),
  rules_version: z.number().int().describe('The version of the saved rules that were compared or changed'),
  ...counts,
  created_at: instant,
  created_by: z.string(),
  expires_at: instant,
});

const comparison = summary.extend({
  groups: z.object({
    same: group,
    would_be_delivered: group,
    would_be_dropped: group,
    other_endpoints: group,
    other_data: group,
    other_tags: group,
  }),
});

const ruleText = z.unknown().meta({ description: 'A rule as createRule takes it' }) as z.ZodType<
  RuleDocument,
  RuleDocument
>;
const MOST_RULES = 10_000;

export const createComparison = route({
  name: 'createComparison',
  method: 'POST',
  path: '/projects/{project}/comparisons',
  access: 'read',
  summary:
    'Decides the stored events of the last hours again, and compares the result with what was decided then',
  description: `It changes nothing. The rules are the saved ones, with \`changed\` instead of those with the same ids or added to them, and
without \`removed\`; or \`rules\`, a whole set. Events are compared newest first, for at most 30 seconds. Tags and endpoints are compared as
sets, data by content. With \`Accept: text/event-stream\` the answer is a stream of server-sent events that shows progress. The result is
kept for 24 hours, and of each project the last 20; \`replayEvents\` replays its groups.`,
  events: {
    progress: 'JSON of `scanned` and of the number of events in each group so far, at most every 100 ms',
    report: 'the JSON of the answer, as the last event',
    problem: 'the JSON of a problem instead of the report, as the last event',
  },
  params: inProject,
  body: z.strictObject({
    window_hours: z.number().int().min(1).max(168),
    changed: z.array(ruleText).max(MOST_RULES).optional().describe('Rules; those without an `id` are added'),
    removed: z.array(id).max(MOST_RULES).optional().describe('Ids of rules'),
    rules: z
      .array(ruleText)
      .max(MOST_RULES)
      .optional()
      .describe('A whole set instead of the saved rules, such as an export'),
    keep: z
      .boolean()
      .optional()
      .describe('False: only this answer has the result, and no other comparison goes for it'),
  }),
  maxBytes: 2_097_152,
  answer: comparison,
  problems: [
    ...(['invalid_json', 'body_too_large', 'unsupported_media_type', 'invalid_rule'] as const),
    ...(['too_many_requests', 'overloaded', 'dry_run_timeout'] as const),
  ],
});
export type ComparedRules = z.output<typeof createComparison.body>;

export const listComparisons = route({
  name: 'listComparisons',
  method: 'GET',
  path: '/projects/{project}/comparisons',
  access: 'read',
  summary: 'Lists the comparisons of the last 24 hours, newest first',
  params: inProject,
  query: pageQuery,
  answer: pageOf(summary),
  problems: ['invalid_cursor'],
});
export type ComparisonSummary = z.output<typeof summary>;

export const getComparison = route({
  name: 'getComparison',
  method: 'GET',
  path: '/projects/{project}/comparisons/{comparison}',
  access: 'read',
  summary: 'Shows a comparison',
  params: inProject.extend({ comparison: id }),
  answer: comparison,
});

export const comparisonRoutes = { createComparison, listComparisons, getComparison };
