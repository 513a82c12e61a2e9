/** Rules in order, and what they decide about an event. */
import type { RuleOptions } from './options.js';
import { budgetOf } from '../patterns/index.js';
import { compileOnce, decide, type Limit } from './decision.js';
import { inEvaluationOrder } from './order.js';
import type { PlainRuleSet } from './plain.js';
import { Segment } from './rule-index/index.js';
import { assertRules } from './validate-rules.js';
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
  assertRules(rules);
  const patterns = options.patterns ?? {};
  budgetOf(patterns); // refused now, not with the first rule
  const inService = rules.filter((rule) => rule.enabled !== false).sort(inEvaluationOrder);
  const compile = compileOnce(patterns);
  const segment = new Segment(inService, patterns, compile);
  return {
    rules: inService,
    evaluate: (event) => {
      const limits: Limit[] = [];
      return decide(event, segment.matching(event, limits, null), compile, limits);
    },
  };
}
