/** Rules in order, and what they decide about an event. */
import type { PatternOptions } from '../patterns/index.js';
import { compileOnce, decide } from './decision.js';
import { assertRulesRun } from './engine.js';
import { Layers } from './layers.js';
import {
  assertRules,
  checkOptions,
  invalidOption,
  readPatternOptions,
  type RuleOptions,
} from './validate/index.js';
import { inEvaluationOrder } from './order.js';
import { ownRule } from './own.js';
import type { RuleEvaluator } from './rule-evaluator.js';
import type { Rule } from './rule.js';
import type { CompileContext, Probe, RuleAccess } from './rule-index/index.js';

/** A change of a rule set. */
export interface RuleChange {
  /** Rules to add; each replaces the one that has its id. A rule that is not enabled removes it. */
  readonly put?: readonly Rule[];
  /** Ids of rules to remove; one that names no rule is ignored. */
  readonly remove?: readonly string[];
}

/** Rules in service. */
export interface RuleSet extends RuleEvaluator {
  /**
   * Another set, with some rules changed. It shares what stays the same, so that changing one rule of a hundred
   * thousand takes a thousandth of compiling them; this set goes on deciding as before.
   *
   * @throws {@link RuleError} with every problem of the rules put.
   * @throws {@link OptionError} `invalid_option` for a change that names anything but `put` and `remove`.
   */
  update(change: RuleChange): RuleSet;
  /**
   * How each rule is found, in evaluation order: by which layer and which inner indexes. Takes about as long as
   * compiling.
   */
  describe(): readonly RuleAccess[];
}

/** `compileRules` of `headgate`, with no engine but the one in `options`; what needs one is `needs_engine`. */
export function compileRules(rules: readonly Rule[], options: RuleOptions = {}): RuleSet {
  return compileProbed(rules, options, null);
}

/**
 * Compiles rules, and counts what matching takes.
 *
 * @param probe - Is added to by every evaluation of the set and of those made of it; `null` to count nothing.
 */
export function compileProbed(rules: readonly Rule[], options: RuleOptions, probe: Probe | null): RuleSet {
  const patterns = readPatternOptions('compileRules', options);
  const context = { options: patterns, compile: compileOnce(patterns), probe };
  return setOf(Layers.of(readEnabled(rules, patterns).sort(inEvaluationOrder), context), context);
}

/** The rules that run, as the set keeps them. */
function readEnabled(rules: readonly Rule[], patterns: PatternOptions): Rule[] {
  assertRules(rules);
  assertRulesRun(rules, patterns);
  return rules.filter(({ enabled }) => enabled !== false).map(ownRule);
}

function setOf(layers: Layers, context: CompileContext): RuleSet {
  let rules: readonly Rule[] | null = null;
  const inService = (): readonly Rule[] => (rules ??= Object.freeze([...layers.rules()]));
  return {
    get rules() {
      return inService();
    },
    evaluate(event) {
      return decide(event, layers.matching(event), context.compile);
    },
    update(change) {
      checkOptions('the change of update', change, ['put', 'remove']);
      const { put = [], remove = [] } = change;
      if (!isListOfIds(remove)) throw invalidOption('remove must be an array of the ids of rules');
      const enabled = readEnabled(put, context.options);
      const replaced = new Set([...remove, ...put.map(({ id }) => id)]);
      return setOf(layers.change(replaced, enabled), context);
    },
    describe: () => layers.describe(),
  };
}

const isListOfIds = (ids: unknown): boolean =>
  Array.isArray(ids) && ids.every((id) => typeof id === 'string');
