/** From what a caller sent to a rule: every issue at once, the quota, and the warnings of lint. */
import {
  assertRuleQuota,
  lintRules,
  type Plan,
  QuotaError,
  type Rule,
  type RuleDocument,
  ruleLimits,
  validateRuleDocument,
} from 'headgate';
import { MAX_ISSUES, Problem, type ProblemIssue } from '../errors/problem.js';
import { MOST_WARNINGS, shownWarning } from '../errors/warnings.js';
import type { RuleInput, RuleWarning } from './routes.js';

/** A valid rule; `enabled` is null if the caller left it out. */
export interface CheckedRule {
  readonly document: RuleDocument;
  readonly enabled: boolean | null;
}

/** Members of a shown rule that are the service's, so that a rule that was read can be sent back. */
const SERVICE_MEMBERS = new Set(['id', 'version', 'counts', 'created_at', 'updated_at', 'warnings']);

/**
 * @param input - A rule as a caller sends it: of any type and depth.
 * @throws Problem `invalid_rule` with the first hundred issues.
 */
export function checkedRule(input: unknown): CheckedRule {
  const { enabled, ...rest } = membersOf(input);
  const own = Object.entries(rest).filter(([key]) => !SERVICE_MEMBERS.has(key));
  const result = validateRuleDocument(isObject(input) ? Object.fromEntries(own) : input, {
    maxIssues: MAX_ISSUES,
  });
  const issues = [...(result.ok ? [] : result.issues), ...issuesOfEnabled(enabled)];
  if (!result.ok || issues.length > 0) throw invalidRule(issues);
  return { document: result.rule, enabled: enabled === undefined ? null : enabled === true };
}

/**
 * The rule that an edit makes of another, not checked yet.
 *
 * @param edit - The members that change, as a caller sends them.
 * @returns Anything but an object is returned unchanged, for {@link checkedRule} to refuse.
 */
export function withChanges(before: RuleInput, edit: unknown): unknown {
  if (!isObject(edit)) return edit;
  const { description, ...after } = { ...before, ...membersOf(edit) };
  return description === null || description === undefined ? after : { ...after, description };
}

/**
 * @param full - Called before it throws.
 * @throws Problem `quota_exceeded` when the plan has no room for one more.
 */
export function assertQuota(plan: string, existing: number, full: () => void): void {
  try {
    assertRuleQuota(plan as Plan, existing);
  } catch (error) {
    if (!(error instanceof QuotaError)) throw error;
    full();
    throw new Problem('quota_exceeded', error.message, { members: quotaMembers(plan) });
  }
}

/** The limit and the plan, for the answer; the limit is null if the plan has none. */
export function quotaMembers(plan: string): { readonly limit: number | null; readonly plan: string } {
  const limit = ruleLimits[plan as Plan];
  return { limit: Number.isFinite(limit) ? limit : null, plan };
}

/** The warnings of lint about one rule among all rules of its project; none if the rule is gone. */
export function warningsAbout(id: string, rules: readonly Rule[]): RuleWarning[] {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) return [];
  // Only drops that run before the rule bear on it.
  const bearing = rules.slice(0, rules.indexOf(rule)).filter(({ action }) => action.type === 'drop');
  return lintRules([...bearing, rule])
    .filter((warning) => warning.rule.id === id)
    .slice(0, MOST_WARNINGS)
    .map(shownWarning);
}

/** A problem that names everything that is wrong with a rule. */
export const invalidRule = (issues: readonly ProblemIssue[]): Problem => {
  const [first] = issues;
  const more = issues.length > 1 ? `, and ${issues.length - 1} more` : '';
  const told = issues.map(({ code, pointer, message }) => ({ code, pointer, message }));
  return new Problem('invalid_rule', `the rule is not valid: ${first?.message ?? ''}${more}`, {
    issues: told,
  });
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

const issuesOfEnabled = (enabled: unknown): readonly ProblemIssue[] =>
  enabled === undefined || typeof enabled === 'boolean'
    ? []
    : [{ code: 'invalid_type', pointer: '/enabled', message: 'enabled must be true or false' }];
