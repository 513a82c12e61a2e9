/** The definition of right: every rule is tried, in order. Whatever finds rules faster must decide the same. */
import { Matching, compileOnce, decide, type Compile, type Decision } from './decision.js';
import { assertRulesRun } from './engine.js';
import { assertRules, readPatternOptions, type RuleOptions } from './validate/index.js';
import { inEvaluationOrder } from './order.js';
import { ownRule } from './own.js';
import { Purse } from './purse.js';
import type { RuleEvaluator } from './rule-evaluator.js';
import type { EventLike, Rule } from './rule.js';
import { Subjects } from './values/index.js';

/** `compileReferenceRules` of `headgate/testing`, with no engine but the one in `options`. */
export function compileReferenceRules(rules: readonly Rule[], options: RuleOptions = {}): RuleEvaluator {
  const patterns = readPatternOptions('compileReferenceRules', options);
  assertRules(rules);
  assertRulesRun(rules, patterns);
  const compile = compileOnce(patterns);
  const enabled = rules.filter((rule) => rule.enabled !== false).map(ownRule);
  const inService = Object.freeze(enabled.sort(inEvaluationOrder));
  return {
    rules: inService,
    evaluate: (event) => decideInOrder(inService, compile, event),
  };
}

/** The decision of rules that are in evaluation order. */
export const decideInOrder = <E extends EventLike>(
  rules: readonly Rule[],
  compile: Compile,
  event: E,
): Decision<E> => decide(event, findMatching(rules, compile, event), compile);

/** Tries rule after rule until a drop matches. */
function findMatching(rules: readonly Rule[], compile: Compile, event: EventLike): Matching {
  const matching = new Matching();
  const purse = new Purse(compile.eventBudget);
  const subjects = new Subjects();
  for (const rule of rules) {
    if (!compile(rule).matches(event, matching.limits, purse, subjects)) continue;
    matching.add(rule);
    if (matching.act(rule, rule.action)) break;
  }
  return matching;
}
