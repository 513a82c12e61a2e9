/** Rules in order, and what they decide about an event. */
import { compareCodePoints, isObject } from '../json.js';
import { budgetOf } from '../patterns/index.js';
import { compileRule, decide, type CompiledRule, type Decision, type Limit } from './decision.js';
import { IssueList, RuleError, reportCapacity, type RuleSetIssue } from './issues.js';
import type { RuleOptions } from './options.js';
import type { Event, Rule } from './rule.js';
import { checkRule } from './validate.js';
import { show } from './wording.js';

/** Rules in service. */
export interface RuleSet {
  /** Enabled rules in evaluation order. */
  readonly rules: readonly Rule[];
  /**
   * Decides about an event, which stays as it is. Throws for no JSON event, whatever its shape.
   *
   * @param event - As persisted.
   */
  evaluate<E extends Event>(event: E): Decision<E>;
}

/** Orders rules as they run: by priority, then by id. */
export const inEvaluationOrder = (a: Rule, b: Rule): number =>
  a.priority - b.priority || compareCodePoints(a.id, b.id);

/**
 * Validates, orders and compiles rules. They are kept, not copied: what is handed in must not be
 * changed afterwards.
 *
 * @throws {@link RuleError} with every problem of every rule, each naming the rule.
 */
export function compileRules(rules: readonly Rule[], options: RuleOptions = {}): RuleSet {
  assertRules(rules);
  const patterns = options.patterns ?? {};
  budgetOf(patterns); // refused now, not with the first rule
  const compiled = rules
    .filter((rule) => rule.enabled !== false)
    .sort(inEvaluationOrder)
    .map((rule) => compileRule(rule, patterns));
  return {
    rules: compiled.map(({ rule }) => rule),
    evaluate: (event) => {
      const limits: Limit[] = [];
      return decide(event, findMatching(compiled, event, limits), limits);
    },
  };
}

/** Throws unless every rule is valid and every id is used once. */
function assertRules(rules: unknown): void {
  if (!Array.isArray(rules)) {
    throw new RuleError([
      { code: 'invalid_type', pointer: '', message: `rules must be an array; this is ${show(rules)}` },
    ]);
  }
  const capacity = reportCapacity();
  const seen = new Set<unknown>();
  const issues: RuleSetIssue[] = [];
  for (const [index, rule] of (rules as unknown[]).entries()) {
    const found = new IssueList(capacity);
    checkRule('rule', rule, found);
    const id = isObject(rule) && typeof rule.id === 'string' ? rule.id : undefined;
    if (id !== undefined && seen.has(id)) {
      found.add('duplicate_id', { parent: null, key: 'id' }, 'another rule of the list has this id');
    }
    seen.add(id);
    for (const issue of found.issues)
      issues.push({ ...issue, index, ...(id !== undefined && { ruleId: id }) });
  }
  if (issues.length > 0) throw new RuleError(issues);
}

/** The rules that match, in order, up to and with the first drop. */
function findMatching(rules: readonly CompiledRule[], event: Event, limits: Limit[]): CompiledRule[] {
  const matching: CompiledRule[] = [];
  for (const candidate of rules) {
    if (!candidate.matches(event, limits)) continue;
    matching.push(candidate);
    if (candidate.rule.action.type === 'drop') break;
  }
  return matching;
}
