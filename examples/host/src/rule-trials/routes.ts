/**
 * The routes that show what rules do with events that are there: explanations, trials, completion. They write nothing.
 */
import type { Action, Match, RuleDocument } from 'headgate';
import { z } from 'zod';
import { route } from '../api/route.js';
import { eventId, id, inProject, instant, line, pageQuery } from '../api/shapes.js';
import { ruleWarning } from '../rules/routes.js';

/** A document of any depth, which the package checks and not a schema. */
const given = <Of>($ref: string) =>
  z.unknown().optional().meta({ $ref }) as z.ZodType<unknown, Of | undefined>;

/** A value as people read it: of any size, cut. */
const shownValue = z.object({
  kind: z.enum(['missing', 'null', 'boolean', 'number', 'string', 'array', 'object']),
  text: z.string().describe('Its JSON, at most 200 characters of it; empty for `missing`'),
  is_cut: z.boolean(),
});
export type ShownValue = z.output<typeof shownValue>;

const explainedLeaf = z.object({
  path: z.string(),
  op: z.string(),
  value: shownValue.describe('That the leaf compares with; `missing` for exists and missing'),
  found: shownValue.describe('That the event has at the path; with stars in it, at `element`'),
  is_present: z.boolean().describe('Whether the event has any value at the path'),
  element: z
    .string()
    .nullable()
    .describe('With stars in the path, that of the first value that decided; null if none did'),
});
export type ExplainedLeaf = z.output<typeof explainedLeaf>;

const explainedNode = z.object({
  depth: z.number().int().describe('0 for the root; the nodes are in document order, so this makes the tree'),
  kind: z.enum(['all', 'any', 'leaf']),
  result: z
    .enum(['held', 'not_held', 'not_reached', 'undecided'])
    .describe(
      '`not_reached`: the leaves before it had decided. `undecided`: a pattern met its work budget, which counts as not held',
    ),
  is_deciding: z.boolean().describe('True for the one leaf with which the whole was decided'),
  leaf: explainedLeaf.nullable().describe('Null for `all` and `any`'),
});
export type ExplainedNode = z.output<typeof explainedNode>;

/** Why a match tree matched an event, or did not. */
export const explanation = z.object({
  matched: z.boolean(),
  decided_by: explainedLeaf
    .nullable()
    .describe('The leaf with which it was decided; null without a match tree'),
  nodes: z.array(explainedNode),
  is_cut: z.boolean().describe('True if the tree has more nodes than the 500 that are shown'),
});
export type Explanation = z.output<typeof explanation>;

const explainedRule = z.object({
  id,
  name: z.string(),
  priority: z.number().int(),
  action: z.string().describe('The type of its action'),
  enabled: z.boolean(),
  outcome: z
    .enum(['applied', 'not_matched', 'behind_drop', 'disabled'])
    .describe(
      'What the rules of today do: `behind_drop` where a rule before drops the event, so that this one does not run',
    ),
  matched_then: z
    .boolean()
    .nullable()
    .describe(
      'Whether the recorded decision has it; null for an event that is not decided, and where the decision has only the first rules',
    ),
  changed_since: z.boolean().nullable().describe('Whether it was edited or made after the decision'),
  explanation: explanation.describe('By its match tree of today, even if it does not run'),
});
export type ExplainedRule = z.output<typeof explainedRule>;

const BOUNDS =
  'Work is bounded, by the pattern budget that deciding has, and by time; a project has a few of these requests at work in each process.';

export const explainEvent = route({
  name: 'explainEvent',
  method: 'GET',
  path: '/projects/{project}/events/{event}/explanation',
  access: 'read',
  summary: 'Tells for every rule of today why it matches an event, or does not',
  description: `In evaluation order. The recorded decision is returned beside it: rules may have changed since. A page may have fewer items than
\`limit\` and a \`next\`. ${BOUNDS}`,
  params: inProject.extend({ event: eventId }),
  query: pageQuery,
  answer: z.object({
    recorded: z
      .object({
        rules_version: z.number().int(),
        decided_at: instant,
        matched: z
          .array(z.object({ id: z.string(), name: z.string(), action: z.string() }))
          .describe('The first thousand rules that matched, and the rule that dropped the event'),
        matched_count: z.number().int().describe('All rules that matched'),
        dropped_by: z.string().nullable(),
      })
      .nullable()
      .describe('Null until the event is decided'),
    today: z.object({
      rules_version: z.number().int(),
      matched: z
        .array(z.string())
        .describe('Ids of the first thousand rules that match today, and of the rule that drops the event'),
      matched_count: z.number().int().describe('All rules that match today, up to and with a drop'),
      dropped_by: z.string().nullable(),
    }),
    have_rules_changed: z
      .boolean()
      .nullable()
      .describe('Whether the two versions differ; null until the event is decided'),
    items: z.array(explainedRule),
    next: z.string().nullable(),
  }),
  problems: ['invalid_cursor', 'too_many_requests', 'overloaded', 'dry_run_timeout'],
});

const effect = z.object({
  type: z.enum(['drop', 'transform', 'route_only', 'tag']),
  data: z
    .unknown()
    .optional()
    .describe('Of a transform: `data` as it leaves it; null if it is larger than 256 KiB'),
  diff: z.array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() })).optional(),
  diff_truncated: z.literal(true).optional(),
  endpoint_ids: z
    .array(z.string())
    .optional()
    .describe('Of a route: those of its endpoints that would get the event now'),
  tags: z.array(z.string()).optional().describe('Of a tag action: the tags that the event does not have yet'),
  limits: z
    .array(z.object({ path: z.string(), pattern: z.string(), op: z.string().optional() }))
    .describe('Ops of a transform that met their work budget: a redaction replaces the whole value'),
});

export const tryRule = route({
  name: 'tryRule',
  method: 'POST',
  path: '/projects/{project}/rules/try',
  access: 'read',
  summary: 'Tries a match tree and an action on the newest events, or on those that are named',
  description: `For an editor, while somebody types: answers in tens of milliseconds. Without \`match\` every event matches; without
\`action\` nothing follows. ${BOUNDS}`,
  params: inProject,
  body: z.strictObject({
    match: given<Match>('#/$defs/match'),
    action: given<Action>('#/$defs/action'),
    event_ids: z.array(eventId).min(1).max(20).optional(),
    type: line(200).optional().describe('Newest events of this type alone'),
    limit: z.number().int().min(1).max(20).default(5).describe('Newest events'),
  }),
  answer: z.object({
    items: z.array(
      z.object({
        event: z.object({ id: z.string(), type: z.string(), topic: z.string(), received_at: instant }),
        explanation,
        effect: effect.nullable().describe('Null if the event does not match, or no action was given'),
      }),
    ),
    left_out: z
      .number()
      .int()
      .describe(
        'Events that are not in the answer, since all together, or what the rule does with them, is too large',
      ),
  }),
  problems: [
    ...(['invalid_json', 'body_too_large', 'unsupported_media_type', 'invalid_rule'] as const),
    ...(['too_many_requests', 'overloaded', 'dry_run_timeout'] as const),
  ],
});

const provenDecision = z.object({
  outcome: z.enum(['deliver', 'drop']),
  tags: z.array(z.string()).describe('Without the event’s own'),
  endpoint_ids: z.array(z.string()).nullable().describe('Null for every subscribed endpoint'),
});

const proof = z.object({
  answer: z
    .enum(['same', 'differs', 'unknown'])
    .describe('`same`: proved that no event is decided differently. `unknown`: neither was found'),
  reason: z.string().nullable().describe('For `unknown`, such as `work_spent`'),
  event: z.unknown().describe('For `differs`: an event that is decided differently; else null'),
  before: provenDecision.nullable(),
  after: provenDecision.nullable(),
});

export const proveRule = route({
  name: 'proveRule',
  method: 'POST',
  path: '/projects/{project}/rules/proof',
  access: 'read',
  summary: 'Proves that a changed rule decides no event differently, or makes an event that it does',
  description: `The saved rules are compared with the same rules and the changed one instead of that with its \`id\`, or added to them. ${BOUNDS}`,
  params: inProject,
  body: z.strictObject({
    id: id.optional().describe('Of the saved rule; left out for a new one'),
    enabled: z.boolean().default(true),
    rule: given<RuleDocument>('#/$defs/rule'),
  }),
  answer: proof,
  problems: [
    ...(['invalid_json', 'body_too_large', 'unsupported_media_type', 'invalid_rule'] as const),
    ...(['too_many_requests', 'overloaded', 'dry_run_timeout'] as const),
  ],
});

const sample = z.string().max(10_000);

const triedTexts = z.object({
  items: z.array(
    z.object({
      result: z
        .enum(['held', 'not_held', 'undecided'])
        .describe('`undecided`: the pattern met its work budget, or there was no time for this text'),
      ranges: z
        .array(z.tuple([z.number().int(), z.number().int()]))
        .describe('The first hundred matches, as begin and end in UTF-16 units'),
      redacted: z
        .string()
        .nullable()
        .describe('The first 20,000 characters of what redact would leave; null if no `replace` was given'),
    }),
  ),
});
export type TriedTexts = z.output<typeof triedTexts>;

export const tryPattern = route({
  name: 'tryPattern',
  method: 'POST',
  path: '/projects/{project}/rules/try-pattern',
  access: 'read',
  summary: 'Tries a regular expression on sample texts, and what redact makes of them',
  description: BOUNDS,
  params: inProject,
  body: z.strictObject({
    pattern: z.string().max(10_000),
    replace: z.string().max(1_000).optional(),
    texts: z.array(sample).min(1).max(50),
  }),
  answer: triedTexts,
  problems: [
    ...(['invalid_json', 'body_too_large', 'unsupported_media_type', 'invalid_rule'] as const),
    ...(['too_many_requests', 'overloaded', 'dry_run_timeout'] as const),
  ],
});

const eventPaths = z.object({
  events: z.number().int().describe('Events that were looked at'),
  items: z.array(
    z.object({
      path: z.string().describe('As rules write it'),
      kinds: z.array(shownValue.shape.kind).describe('The kinds of values, the most frequent first'),
      events: z.number().int().describe('Events that have it'),
      samples: z.array(shownValue).describe('Up to five different values; none of objects and arrays'),
    }),
  ),
  is_cut: z.boolean().describe('True if there are more paths'),
});
export type EventPaths = z.output<typeof eventPaths>;

export const listEventPaths = route({
  name: 'listEventPaths',
  method: 'GET',
  path: '/projects/{project}/events/paths',
  access: 'read',
  summary: 'Lists the paths that the newest events have, for completion',
  description: `The most frequent first, at most 1,000 and 1 MiB of JSON, and none deeper than 12 keys. ${BOUNDS}`,
  params: inProject,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(100).describe('Newest events'),
    type: line(200).optional().describe('Newest events of this type alone'),
  }),
  answer: eventPaths,
  problems: ['too_many_requests', 'overloaded', 'dry_run_timeout'],
});

const access = z.object({
  tried: z
    .enum(['when_found', 'always'])
    .describe('`when_found`: on events in which the index finds one of `by`. `always`: on every event'),
  weight: z.number().describe('The share of events in which the index expects to find the rule'),
  by: z
    .array(
      z.object({
        kind: z.enum(['value', 'prefix', 'suffix', 'text', 'pattern', 'range', 'presence']),
        leaves: z.array(z.object({ path: z.string(), op: z.string(), value: shownValue })),
        shared_by: z.number().int().describe('Rules that the index finds by the same'),
        is_certain: z
          .boolean()
          .describe('Whether the rule matches whenever it is found so; else its tree is tried'),
      }),
    )
    .describe('The first twenty'),
});

const ruleAnalysis = z.object({
  rule_id: id,
  access: access.nullable().describe('Null for a rule that is disabled'),
  warnings: z.array(ruleWarning),
});
export type RuleAnalysis = z.output<typeof ruleAnalysis>;

export const analyzeRules = route({
  name: 'analyzeRules',
  method: 'GET',
  path: '/projects/{project}/rules/analysis',
  access: 'read',
  summary: 'Shows how the index finds each rule, and its lint warnings',
  description: 'In evaluation order, with the cursor of a page; the ETag is the version of the rule set.',
  params: inProject,
  query: pageQuery,
  answer: z.object({
    version: z.number().int(),
    items: z.array(ruleAnalysis),
    next: z.string().nullable(),
  }),
  problems: ['invalid_cursor', 'too_many_requests', 'overloaded', 'dry_run_timeout'],
});

/** All routes of this module. Their paths come before those with an id in the same segment. */
export const ruleTrialRoutes = {
  explainEvent,
  tryRule,
  tryPattern,
  proveRule,
  listEventPaths,
  analyzeRules,
};
