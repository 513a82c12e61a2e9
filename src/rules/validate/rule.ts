/** From whatever somebody sent to a rule, or to all that is wrong with it at once. */
import { isObject } from '../../json.js';
import { IssueList, reportCapacity, RuleError, type RuleIssue, show } from '../issues/index.js';
import { canonical } from '../own.js';
import type { Match, Rule, RuleDocument, TransformOp } from '../rule.js';
import { checkNode } from '../schema/check.js';
import { actionSchemas } from '../schema/schemas.js';
import { checkAction, checkOps } from './action.js';
import { checkMatch } from './match.js';

/** A valid rule, or the problems of the input. */
export type RuleResult<R = Rule> =
  { readonly ok: true; readonly rule: R } | { readonly ok: false; readonly issues: readonly RuleIssue[] };

/** How much a check reports. */
export interface ValidateOptions {
  /**
   * Most problems that are reported. The check ends with the last of them, so that a large document costs no more than
   * its first mistakes.
   *
   * @defaultValue all, up to ten million characters
   */
  readonly maxIssues?: number;
}

/**
 * Checks a rule, by loops however deep its tree is. `counts` is allowed and ignored; any other
 * unknown key is an issue.
 *
 * @example
 * ```ts
 * import { validateRule } from 'headgate';
 *
 * const input: unknown = JSON.parse('{ "id": "1", "name": "All", "stage": "deliver", "priority": 1 }');
 * const result = validateRule(input);
 * if (!result.ok) for (const { code, message } of result.issues) console.log(code, message);
 * // missing_key match is missing; it must be an object
 * // missing_key action is missing; it must be an object
 * ```
 * @param input - The result of `JSON.parse`, or any other value.
 * @param options - How much is reported.
 * @returns The very object passed in, now known to be a rule, or a copy of it where endpoint ids had to be put into
 *   lower case; or every problem, those of an object before those of its members.
 */
export function validateRule(input: unknown, options: ValidateOptions = {}): RuleResult {
  return resultOf<Rule>('rule', input, options);
}

/**
 * Checks a rule as a user saves it, before it has an `id`.
 *
 * @param input - The result of `JSON.parse`, or any other value.
 * @param options - How much is reported.
 */
export function validateRuleDocument(
  input: unknown,
  options: ValidateOptions = {},
): RuleResult<RuleDocument> {
  return resultOf<RuleDocument>('document', input, options);
}

/**
 * {@link validateRule}, throwing.
 *
 * @example
 * ```ts
 * import { parseRule, RuleError } from 'headgate';
 *
 * try {
 *   parseRule({ id: '1' });
 * } catch (error) {
 *   if (error instanceof RuleError) console.log(error.issues.length); // 5
 * }
 * ```
 * @throws {@link RuleError} with every problem.
 */
export function parseRule(input: unknown): Rule {
  const result = validateRule(input);
  if (!result.ok) throw new RuleError(result.issues);
  return result.rule;
}

/**
 * {@link validateRuleDocument}, throwing.
 *
 * @throws {@link RuleError} with every problem.
 */
export function parseRuleDocument(input: unknown): RuleDocument {
  const result = validateRuleDocument(input);
  if (!result.ok) throw new RuleError(result.issues);
  return result.rule;
}

/** Throws unless a part of a rule passes its check. */
export function assertValid(check: (issues: IssueList) => void): void {
  const issues = new IssueList();
  check(issues);
  if (!issues.none) throw new RuleError(issues.issues);
}

function resultOf<R extends RuleDocument>(
  kind: 'rule' | 'document',
  input: unknown,
  { maxIssues }: ValidateOptions,
): RuleResult<R> {
  const issues = new IssueList(reportCapacity(maxIssues));
  checkRule(kind, input, issues);
  return issues.none ? { ok: true, rule: canonical(input as R) } : { ok: false, issues: issues.issues };
}

/** Adds the problems of a rule or a rule document. */
export function checkRule(kind: 'rule' | 'document', input: unknown, issues: IssueList): void {
  if (!isObject(input)) {
    issues.add('invalid_type', null, `a rule must be an object; this is ${show(input)}`);
    return;
  }
  checkNode(kind, input, null, issues);
  if (isObject(input.match)) checkMatch(input.match, { parent: null, key: 'match' }, issues);
  if (isObject(input.action)) checkAction(input.action, { parent: null, key: 'action' }, issues);
}

/** Throws unless a match tree is valid. */
export function assertMatch(match: unknown): asserts match is Match {
  assertValid((issues) => {
    checkMatch(match, null, issues);
  });
}

/** Throws unless a list of ops is valid. */
export function assertOps(ops: unknown): asserts ops is readonly TransformOp[] {
  assertValid((issues) => {
    const { minItems, maxItems, description } = actionSchemas.transform.properties.ops;
    if (Array.isArray(ops) && ops.length >= minItems && ops.length <= maxItems) checkOps(ops, null, issues);
    else issues.add('out_of_bounds', null, `ops must be ${description}; this is ${show(ops)}`);
  });
}
