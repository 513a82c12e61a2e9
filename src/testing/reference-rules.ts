/** The evaluator without an index, with re2js where the test names no other engine. */
import { withRe2js } from '../default-engine.js';
import { compileReferenceRules as bare } from '../rules/plain.js';
import type { RuleOptions } from '../rules/validate/index.js';
import type { RuleEvaluator } from '../rules/rule-evaluator.js';
import type { Rule } from '../rules/rule.js';

/**
 * Does as `compileRules` does, without an index: it decides the same, at a cost that grows with the rules.
 *
 * @throws `RuleError` with every problem of every rule, each naming the rule.
 */
export function compileReferenceRules(rules: readonly Rule[], options: RuleOptions = {}): RuleEvaluator {
  return bare(rules, withRe2js(options));
}
