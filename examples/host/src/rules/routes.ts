/** The routes of rules. */
import type { Action, Match, RuleDocument } from 'headgate';
import { z } from 'zod';
import { route } from '../api/route.js';
import { id, inProject, instant, pageOf, pageQuery } from '../api/shapes.js';

/** The schema, for the documents, of a value that this table does not check. */
interface Described {
  readonly description?: string;
  /** `#/$defs/<name>`: the schema of the package by that name; see api-docs/rule-schemas.ts. */
  readonly $ref?: string;
  readonly [keyword: string]: unknown;
}

/** Documents may be of any depth, so they are checked by the package's loops and not by a schema. */
const document = <Of>(described: Described) => z.unknown().meta(described) as z.ZodType<Of, Of>;
const given = <Of>(described: Described) => z.unknown().optional().meta(described) as z.ZodType<unknown, Of>;

const match = document<Match>({ $ref: '#/$defs/match' });
const action = document<Action>({ $ref: '#/$defs/action' });

/** How often a rule matched; exact after a minute. */
export const ruleCounts = z.object({
  matched: z.number().int(),
  last_24h: z.number().int(),
  last_matched_at: instant.nullable(),
});

/** A rule as the API shows it. */
export const rule = z.object({
  id,
  name: z.string(),
  description: z.string().optional(),
  stage: z.literal('deliver'),
  match,
  action,
  priority: z.number().int(),
  enabled: z.boolean(),
  version: z.number().int(),
  counts: ruleCounts,
  created_at: instant,
  updated_at: instant,
});
export type ShownRule = z.output<typeof rule>;

/** A probable mistake in a valid rule. */
export const ruleWarning = z.object({
  code: z.string(),
  pointer: z.string(),
  message: z.string(),
  related: z.array(z.object({ rule_id: id, pointer: z.string() })),
});
export type RuleWarning = z.output<typeof ruleWarning>;

const saved = rule.extend({ warnings: z.array(ruleWarning) });
export type SavedRule = z.output<typeof saved>;

/** A rule that a caller saves. */
export type RuleInput = RuleDocument & { readonly enabled?: boolean };
/** Members of a rule that a caller changes; `description: null` removes it. */
export type RuleEdit = Partial<Omit<RuleInput, 'description'> & { readonly description: string | null }>;

const quota = z
  .object({
    plan: z.string(),
    used: z.number().int().describe('Rules that the project has, enabled or not'),
    limit: z.number().int().nullable().describe('Rules that its plan has room for; null for any number'),
  })
  .describe('How many rules the project may have');
export type RulePageQuota = z.output<typeof quota>;

const IN_RULE = inProject.extend({ rule: id });
const RULE_INPUT =
  'A rule: name, description, stage, match, action, priority; enabled is true unless given. Members that the service gives (id, version, counts, created_at, updated_at, warnings) are ignored';

export const listRules = route({
  name: 'listRules',
  method: 'GET',
  path: '/projects/{project}/rules',
  access: 'read',
  summary: 'Lists rules in evaluation order, with their counts',
  description: 'The ETag is the version of the rule set; give it as `If-Match` where the order is changed.',
  params: inProject,
  query: pageQuery,
  answer: pageOf(rule).extend({ quota }),
  problems: ['invalid_cursor'],
});

/** The spans over which matches are counted. */
export const COUNT_PERIODS = {
  day: { buckets: 24, bucketMinutes: 60 },
  week: { buckets: 28, bucketMinutes: 360 },
  month: { buckets: 30, bucketMinutes: 1_440 },
} as const;
export type CountPeriod = keyof typeof COUNT_PERIODS;

const countsPage = z.object({
  from: instant,
  to: instant,
  bucket_seconds: z.number().int(),
  items: z.array(
    z.object({
      rule_id: id,
      matched: z.number().int().describe('In all of the period'),
      series: z
        .array(z.number().int())
        .describe('Spans of equal length, oldest first; the last one has now in it'),
    }),
  ),
  next: z.string().nullable(),
});
export type RuleCountsPage = z.output<typeof countsPage>;

export const listRuleCounts = route({
  name: 'listRuleCounts',
  method: 'GET',
  path: '/projects/{project}/rules/counts',
  access: 'read',
  summary: 'Counts the matches of all rules over the last days',
  description: 'In evaluation order, with the cursor of a page.',
  params: inProject,
  query: pageQuery.extend({
    limit: z.coerce.number().int().min(1).max(50).default(50),
    period: z.enum(['day', 'week', 'month']).default('day'),
  }),
  answer: countsPage,
  problems: ['invalid_cursor'],
});

export const createRule = route({
  name: 'createRule',
  method: 'POST',
  path: '/projects/{project}/rules',
  access: 'manage',
  summary: 'Saves a new rule',
  params: inProject,
  body: given<RuleInput>({ $ref: '#/$defs/rule_input', description: RULE_INPUT }),
  status: 201,
  answer: saved,
  problems: ['invalid_json', 'body_too_large', 'unsupported_media_type', 'invalid_rule', 'quota_exceeded'],
});

export const getRule = route({
  name: 'getRule',
  method: 'GET',
  path: '/projects/{project}/rules/{rule}',
  access: 'read',
  summary: 'Shows a rule, with its version as ETag',
  params: IN_RULE,
  answer: rule,
});

const editProblems = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'invalid_rule',
  'quota_exceeded',
  'version_conflict',
] as const;

export const replaceRule = route({
  name: 'replaceRule',
  method: 'PUT',
  path: '/projects/{project}/rules/{rule}',
  access: 'manage',
  summary: 'Replaces a rule',
  description: 'Where `enabled` is left out, the rule stays enabled or disabled as it is.',
  params: IN_RULE,
  body: given<RuleInput>({ $ref: '#/$defs/rule_input', description: RULE_INPUT }),
  answer: saved,
  versioned: true,
  problems: editProblems,
});

export const updateRule = route({
  name: 'updateRule',
  method: 'PATCH',
  path: '/projects/{project}/rules/{rule}',
  access: 'manage',
  summary: 'Changes members of a rule, such as enabled',
  params: IN_RULE,
  body: given<RuleEdit>({
    $ref: '#/$defs/rule_edit',
    description: 'The members that change; `description: null` removes the description',
  }),
  answer: saved,
  versioned: true,
  problems: editProblems,
});

export const deleteRule = route({
  name: 'deleteRule',
  method: 'DELETE',
  path: '/projects/{project}/rules/{rule}',
  access: 'manage',
  summary: 'Deletes a rule',
  params: IN_RULE,
  status: 204,
  versioned: true,
  problems: ['version_conflict'],
});

/** A body of 1 MiB has room for hardly more. */
const MAX_ORDERED = 25_000;

export const orderRules = route({
  name: 'orderRules',
  method: 'PUT',
  path: '/projects/{project}/rules/order',
  access: 'manage',
  summary: 'Gives all rules a new order',
  description:
    'The list names every rule of the project once; the rules get the priorities 10, 20, 30 … in one edit. `If-Match` takes the version of the rule set, which is the ETag of the list. A list that does not fit is a `conflict` with `missing`, `unknown` and `repeated`.',
  params: inProject,
  body: z.strictObject({ ids: z.array(id).max(MAX_ORDERED) }),
  answer: z.object({
    version: z.number().int(),
    items: z.array(z.object({ id, priority: z.number().int(), version: z.number().int() })),
  }),
  versioned: true,
  problems: ['invalid_json', 'body_too_large', 'unsupported_media_type', 'conflict', 'version_conflict'],
});

export const exportRules = route({
  name: 'exportRules',
  method: 'GET',
  path: '/projects/{project}/rules/export',
  access: 'read',
  summary: 'Exports all rules as a file that can be imported',
  description: 'In evaluation order, without id, enabled and counts.',
  params: inProject,
  produces: 'application/json',
});

/** The result of an import. */
const imported = z.object({
  imported: z.number().int(),
  skipped: z.number().int(),
  errors: z.array(
    z.object({
      index: z.number().int().nullable(),
      name: z.string().optional(),
      code: z.string(),
      pointer: z.string(),
      message: z.string(),
    }),
  ),
  errors_left_out: z.number().int().describe('Problems beside the first thousand, or beside 512 KiB of them'),
  rules: z.array(z.object({ id, name: z.string() })).describe('The first thousand that were imported'),
});
export type Imported = z.output<typeof imported>;

export const importRules = route({
  name: 'importRules',
  method: 'POST',
  path: '/projects/{project}/rules/import',
  access: 'manage',
  summary: 'Imports a file of rules, entry by entry',
  description:
    'The body is the file, of any content type: JSON of one rule or an array of them. Entries that are not valid, and those that the plan has no room for, are skipped and named; all others are saved in one edit. A file that is not JSON is one error with the index null.',
  params: inProject,
  body: 'raw',
  maxBytes: 10 * 1_024 * 1_024,
  answer: imported,
  problems: ['body_too_large', 'conflict', 'too_many_requests', 'overloaded'],
});

export const dryRunRule = route({
  name: 'dryRunRule',
  method: 'POST',
  path: '/projects/{project}/rules/dry-run',
  access: 'read',
  summary: 'Tries a rule on the stored events of the last hours',
  description:
    'It writes nothing. With `Accept: text/event-stream` the answer is a stream of server-sent events that shows progress. After 30 seconds it ends with `dry_run_timeout`, which has the counts so far.',
  events: {
    progress: 'JSON of `matched`, `scanned`, `undated`, `limits` and `byAction` so far, at most every 100 ms',
    report: 'the JSON of the answer, as the last event',
    problem: 'the JSON of a problem instead of the report, as the last event',
  },
  params: inProject,
  body: z.strictObject({
    stage: given<'deliver'>({ const: 'deliver' }),
    match: given<Match>({ $ref: '#/$defs/match' }),
    action: given<Action>({ $ref: '#/$defs/action' }),
    windowHours: given<number>({ type: 'integer', minimum: 1, maximum: 168 }),
  }),
  answer: z.object({
    matched: z.number().int(),
    scanned: z.number().int(),
    undated: z.number().int(),
    limits: z.number().int(),
    byAction: z.record(z.string(), z.number().int()),
    histogram: z
      .array(z.object({ from: instant, to: instant, matched: z.number().int(), scanned: z.number().int() }))
      .describe(
        'The window in sixty equal parts, oldest first: the events received after `from`, up to `to`',
      ),
    samples: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        topic: z.string().optional(),
        data: z.unknown(),
        data_truncated: z
          .literal(true)
          .optional()
          .describe(
            'The samples before it have 2 MiB of data already, so its `data` is null and its `diff` is empty',
          ),
        diff: z.array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() })).optional(),
        diff_truncated: z.literal(true).optional(),
        endpoint_ids: z.array(z.string()).optional(),
        tags: z.array(z.string()).optional(),
      }),
    ),
  }),
  problems: [
    'invalid_json',
    'body_too_large',
    'unsupported_media_type',
    'invalid_rule',
    'too_many_requests',
    'overloaded',
    'dry_run_timeout',
  ],
});

export const ruleHours = route({
  name: 'ruleHours',
  method: 'GET',
  path: '/projects/{project}/rules/{rule}/hours',
  access: 'read',
  summary: 'Counts the matches of a rule by the hour',
  description: 'Oldest first, one for each hour, the present one included.',
  params: IN_RULE,
  query: z.object({ hours: z.coerce.number().int().min(1).max(168).default(24) }),
  answer: z.object({ items: z.array(z.object({ at: instant, matched: z.number().int() })) }),
});

const ruleVersion = z.object({
  id: z.string(),
  at: instant,
  /** As in the audit log. */
  actor: z.string(),
  action: z.enum(['created', 'updated', 'imported', 'deleted']),
  rule: document<(RuleDocument & { readonly enabled: boolean }) | null>({
    description:
      'The rule as it was saved, with `enabled`; as it was last, if it was deleted. Null if it is no longer kept as a whole',
  }),
});
export type RuleVersion = z.output<typeof ruleVersion>;

export const listRuleVersions = route({
  name: 'listRuleVersions',
  method: 'GET',
  path: '/projects/{project}/rules/{rule}/versions',
  access: 'read',
  summary: 'Lists the saved versions of a rule, newest first, also of one that was deleted',
  description: `They are kept as long as the audit log, 400 days. Of the versions of more than 16 KiB, the last 20 of each rule are whole, and none
once the rule is deleted. To restore one, save it with \`replaceRule\`, or with \`createRule\` if the rule was deleted. A new order of all
rules makes no version.`,
  params: IN_RULE,
  query: pageQuery,
  answer: pageOf(ruleVersion),
  problems: ['invalid_cursor'],
});

export const listRuleTemplates = route({
  name: 'listRuleTemplates',
  method: 'GET',
  path: '/rule-templates',
  access: 'read',
  summary: 'Lists starter rules, to be edited before they are saved',
  params: z.object({}),
  answer: z.object({
    items: z.array(z.object({ key: z.string(), rule: document<RuleDocument>({ $ref: '#/$defs/rule' }) })),
  }),
});

/** All routes of this module. Paths with a word come before those with a rule's id. */
export const ruleRoutes = {
  listRules,
  listRuleCounts,
  createRule,
  orderRules,
  exportRules,
  importRules,
  dryRunRule,
  getRule,
  replaceRule,
  updateRule,
  deleteRule,
  ruleHours,
  listRuleVersions,
  listRuleTemplates,
};
