/** Rules in order, and what they decide about an event. */
import type { RuleOptions } from './options.js';
import { compileRulesPlainly, type PlainRuleSet } from './plain.js';
import type { Rule } from './rule.js';

/** Rules in service. */
export interface RuleSet extends PlainRuleSet {}

/**
 * Validates, orders and compiles rules. They are kept, not copied: what is handed in must not be
 * changed afterwards.
 *
 * @throws {@link RuleError} with every problem of every rule, each naming the rule.
 */
export function compileRules(rules: readonly Rule[], options: RuleOptions = {}): RuleSet {
  return compileRulesPlainly(rules, options);
}
