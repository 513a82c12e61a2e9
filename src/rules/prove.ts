/** Proofs about match trees and rules: the public functions. */
import type { PatternOptions } from '../patterns/index.js';
import { compileOnce } from './decision.js';
import { assertMatchRuns, assertRulesRun } from './engine.js';
import { inEvaluationOrder } from './order.js';
import { canonical } from './own.js';
import { decideInOrder } from './plain.js';
import {
  MAX_WORK,
  compare,
  eventFor,
  type FoundEvent,
  type RuleComparison,
  type Side,
} from './reasoning/index.js';
import type { Match, Rule } from './rule.js';
import {
  assertMatch,
  assertRules,
  invalidOption,
  readPatternOptions,
  type RuleOptions,
} from './validate/index.js';

/** Options of a question about all events. */
export interface ProofOptions extends RuleOptions {
  /**
   * Units of work after which the question is left open; a unit is about ten nanoseconds.
   *
   * @defaultValue `20_000_000`
   */
  readonly maxWork?: number;
}

/** `findEvent` of `headgate`, with no engine but the one in `options`; what needs one is `needs_engine`. */
export function findEvent(match: Match, options: ProofOptions = {}): FoundEvent {
  const patterns = readPatternOptions('findEvent', options, ['maxWork']);
  const maxWork = readMaxWork(options);
  assertMatch(match);
  assertMatchRuns(match, patterns);
  return eventFor(match, patterns, maxWork);
}

/** `compareRules` of `headgate`, with no engine but the one in `options`; what needs one is `needs_engine`. */
export function compareRules(
  before: readonly Rule[],
  after: readonly Rule[],
  options: ProofOptions = {},
): RuleComparison {
  const patterns = readPatternOptions('compareRules', options, ['maxWork']);
  const maxWork = readMaxWork(options);
  return compare(sideOf(before, patterns), sideOf(after, patterns), patterns, maxWork);
}

/** Rules as they run, without an index: a comparison asks about few events. */
function sideOf(rules: readonly Rule[], patterns: PatternOptions): Side {
  assertRules(rules);
  assertRulesRun(rules, patterns);
  const inService = rules.filter(({ enabled }) => enabled !== false).sort(inEvaluationOrder);
  const own = inService.map(canonical);
  const compile = compileOnce(patterns);
  return {
    rules: inService,
    actions: own.map(({ action }) => action),
    decide: (event) => decideInOrder(own, compile, event),
  };
}

function readMaxWork({ maxWork = MAX_WORK }: ProofOptions): number {
  if (typeof maxWork === 'number' && maxWork > 0) return maxWork;
  throw invalidOption(`maxWork must be a positive number of work units; give one such as ${MAX_WORK}`);
}
