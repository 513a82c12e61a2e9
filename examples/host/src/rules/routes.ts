/** The routes of rules. */
import type { Action, Match, RuleDocument } from 'headgate';
import { z } from 'zod';
import { route } from '../api/route.js';
import { id, inProject, instant, pageOf, pageQuery } from '../api/shapes.js';

/** Documents may be of any depth, so they are checked by the package's loops and not by a schema. */
const document = <Of>(description: string) => z.unknown().meta({ description }) as z.ZodType<Of, Of>;
const given = <Of>(description: string) => z.unknown().meta({ description }) as z.ZodType<unknown, Of>;

const match = document<Match>('A match tree');
const action = document<Action>('An action: drop, transform, route_only or tag');

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
  answer: pageOf(rule),
  problems: ['invalid_cursor'],
});

export const createRule = route({
  name: 'createRule',
  method: 'POST',
  path: '/projects/{project}/rules',
  access: 'manage',
  summary: 'Saves a new rule',
  params: inProject,
  body: given<RuleInput>(RULE_INPUT),
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
  body: given<RuleInput>(RULE_INPUT),
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
  body: given<RuleEdit>('The members that change; `description: null` removes the description'),
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

/** All routes of this room. Paths with a word come before those with a rule's id. */
export const ruleRoutes = { listRules, createRule, getRule, replaceRule, updateRule, deleteRule };
