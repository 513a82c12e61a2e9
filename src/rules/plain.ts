/** The definition of right: every rule is tried, in order. Whatever finds rules faster must decide the same. */
import { Matching, compileOnce, decide, type Compile, type Decision } from './decision.js';
import { assertRules, readPatternOptions, type RuleOptions } from './validate/index.js';
import { inEvaluationOrder } from './order.js';
import { ownRule } from './own.js';
import type { EventLike, Rule } from './rule.js';

/** Rules that decide about events. */
export interface ReferenceRuleSet {
  /** Enabled rules in evaluation order; frozen, and so is each rule. */
  readonly rules: readonly Rule[];
  /**
   * Decides about an event, which stays as it is. Throws for no JSON event, whatever its shape.
   *
   * @param event - As persisted.
   */
  evaluate<E extends EventLike>(event: E): Decision<E>;
}

/**
 * What `compileRules` does, without an index: it decides the same, at a cost that grows with the rules.
 *
 * @throws {@link RuleError} with every problem of every rule, each naming the rule.
 */
export function compileReferenceRules(rules: readonly Rule[], options: RuleOptions = {}): ReferenceRuleSet {
  const patterns = readPatternOptions('compileReferenceRules', options);
  assertRules(rules);
  const compile = compileOnce(patterns);
  const enabled = rules.filter((rule) => rule.enabled !== false).map(ownRule);
  const inService = Object.freeze(enabled.sort(inEvaluationOrder));
  return {
    rules: inService,
    evaluate: (event) => decide(event, findMatching(inService, compile, event), compile),
  };
}

/** Tries rule after rule until a drop matches. */
function findMatching(rules: readonly Rule[], compile: Compile, event: EventLike): Matching {
  const matching = new Matching();
  for (const rule of rules) {
    if (!compile(rule).matches(event, matching.limits)) continue;
    matching.add(rule);
    if (matching.act(rule, rule.action)) break;
  }
  return matching;
}
