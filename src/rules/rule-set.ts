/** Rules in order, and what they decide about an event. */
import { budgetOf } from '../patterns/index.js';
import { compileOnce, decide, type Limit } from './decision.js';
import { Layers, type Workshop } from './layers.js';
import type { RuleOptions } from './options.js';
import { inEvaluationOrder } from './order.js';
import type { PlainRuleSet } from './plain.js';
import type { Rule } from './rule.js';
import { describeAccess, type RuleAccess } from './rule-index/index.js';
import { assertRules } from './validate-rules.js';

/** What to change in a rule set. */
export interface RuleChange {
  /** Rules to add, or to put in place of those with their ids. One that is not enabled only takes the other's place. */
  readonly put?: readonly Rule[];
  /** Ids of rules to remove; one that names no rule is ignored. */
  readonly remove?: readonly string[];
}

/** Rules in service. */
export interface RuleSet extends PlainRuleSet {
  /**
   * Another set, with some rules changed. It shares what stays the same, so that changing one rule of a hundred thousand
   * takes a thousandth of compiling them; this set goes on deciding as before.
   *
   * @throws {@link RuleError} with every problem of the rules put.
   */
  update(change: RuleChange): RuleSet;
  /** How each rule is found, in evaluation order. Takes about as long as compiling. */
  describe(): readonly RuleAccess[];
}

/**
 * Validates, orders and indexes rules. They are kept, not copied: what is handed in must not be
 * changed afterwards.
 *
 * @throws {@link RuleError} with every problem of every rule, each naming the rule.
 */
export function compileRules(rules: readonly Rule[], options: RuleOptions = {}): RuleSet {
  assertRules(rules);
  const patterns = options.patterns ?? {};
  budgetOf(patterns); // refused now, not with the first rule
  const workshop = { options: patterns, compile: compileOnce(patterns) };
  return setOf(Layers.of(rules.filter(isEnabled).sort(inEvaluationOrder), workshop), workshop);
}

const isEnabled = (rule: Rule): boolean => rule.enabled !== false;

function setOf(layers: Layers, workshop: Workshop): RuleSet {
  let rules: readonly Rule[] | null = null;
  const inService = (): readonly Rule[] => (rules ??= layers.rules());
  return {
    get rules() {
      return inService();
    },
    evaluate(event) {
      const limits: Limit[] = [];
      return decide(event, layers.matching(event, limits), workshop.compile, limits);
    },
    update({ put = [], remove = [] }) {
      assertRules(put);
      const replaced = new Set([...remove, ...put.map(({ id }) => id)]);
      return setOf(layers.change(replaced, put.filter(isEnabled)), workshop);
    },
    describe: () => describeAccess(inService(), workshop.options),
  };
}
