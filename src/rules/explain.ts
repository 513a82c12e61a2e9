/** Why a match tree matched an event, or did not: leaf by leaf. */
import type { Json } from '../json.js';
import { budgetOf, type PatternOptions } from '../patterns/index.js';
import { assertMatchRuns } from './engine.js';
import {
  MATCHED,
  compileProgram,
  holds,
  leafLocations,
  testOf,
  valuesBelow,
  type Program,
  type Step,
} from './match/index.js';
import { ignoresValue, isNegated } from './operators/index.js';
import { pointerTo, type Location } from './issues/index.js';
import { readPatternOptions, type RuleOptions, assertMatch } from './validate/index.js';
import { STAR, child, findAll, readPath, textOfPath, type Found } from './path.js';
import type { Match, Operator } from './rule.js';
import { Account } from './values/index.js';

/**
 * The result of a leaf. `not_reached`: the leaves before it had decided the match. `undecided`: its
 * pattern met the work budget, which counts as not held.
 */
export type LeafResult = 'held' | 'not_held' | 'not_reached' | 'undecided';

/** One leaf, the value that the event has at its path, and the result. */
export interface LeafTrace {
  /** RFC 6901 pointer into the match tree. */
  readonly pointer: string;
  readonly path: string;
  readonly op: Operator;
  /** Absent for `exists` and `missing`. */
  readonly value?: Json;
  /** Whether the event has the path; of a path with stars, whether it has any value there. */
  readonly present: boolean;
  /**
   * The value that the event has at the path; `undefined` if it has none. Of a path with stars, the value at `element`,
   * or `undefined` if no value decided.
   */
  readonly actual: unknown;
  /**
   * For a path with stars, the path of the first value that decided: the operator holds for it, or for `neq`, `missing`
   * and each `not_` operator, the one that it negates. Such as `data.body.items.2.sku`; absent if no value decided.
   */
  readonly element?: string;
  readonly result: LeafResult;
}

/** The whole of a match, explained. */
export interface MatchTrace {
  readonly matched: boolean;
  /** Every leaf, in document order. */
  readonly leaves: readonly LeafTrace[];
  readonly [key: string]: unknown;
}

/** `explainMatch` of `headgate`, with no engine but the one in `options`; what needs one is `needs_engine`. */
export function explainMatch(match: Match, event: unknown, options: RuleOptions = {}): MatchTrace {
  const patterns = readPatternOptions('explainMatch', options);
  assertMatch(match);
  assertMatchRuns(match, patterns);
  const program = compileProgram(match, patterns);
  const account = new Account(budgetOf(patterns));
  const { matched, results } = trace(program, event, account);
  const seeing = { event, patterns, account };
  const locations = leafLocations(match);
  const leaves = locations.map((location, i) => {
    // The steps are in the reverse order of the leaves.
    const at = program.length - 1 - i;
    return leafTrace(program[at] as Step, location, results[at] as LeafResult, seeing);
  });
  return { matched, leaves };
}

/** Runs a program as {@link runProgram} does, and records the result of each step. */
function trace(
  program: Program,
  event: unknown,
  account: Account,
): { matched: boolean; results: readonly LeafResult[] } {
  const results = program.map((): LeafResult => 'not_reached');
  let at = program.length - 1;
  while (at >= 0) {
    const step = program[at] as Step;
    const held = holds(step, event, account);
    results[at] = held === undefined ? 'undecided' : held ? 'held' : 'not_held';
    at = held === true ? step.ifHeld : step.ifNot;
  }
  return { matched: at === MATCHED, results };
}

/** The event and the account that the traces of one explanation share. */
interface Seeing {
  readonly event: unknown;
  readonly patterns: PatternOptions;
  readonly account: Account;
}

function leafTrace(step: Step, location: Location, result: LeafResult, seeing: Seeing): LeafTrace {
  const { path, op, value } = step.leaf;
  const trace = {
    /** Made when it is looked at: the pointers of a deep tree are long. */
    get pointer() {
      return pointerTo(location);
    },
    path,
    op,
    ...(ignoresValue(op) ? {} : { value: value as Json }),
  };
  if (step.last === STAR) return withElement(trace, step, result, seeing);
  const actual = readPath(seeing.event, step.path);
  return Object.assign(trace, { present: actual !== undefined, actual, result });
}

/**
 * The trace of a leaf with stars in its path. What decided is looked for when it is looked at: that takes long in a
 * long array.
 */
function withElement(
  trace: Omit<LeafTrace, 'present' | 'actual' | 'result'>,
  step: Step,
  result: LeafResult,
  { event, patterns, account }: Seeing,
): LeafTrace {
  const array = child(readPath(event, step.parent), STAR);
  const present = array !== undefined && isPresent(step, array as readonly unknown[], account);
  const isDecided = result === (isNegated(step.leaf) ? 'not_held' : 'held');
  if (!present || !isDecided) return Object.assign(trace, { present, actual: undefined, result });
  let found: Found | undefined;
  const decisive = (): Found => (found ??= firstOf(step, event, patterns));
  return Object.defineProperties(Object.assign(trace, { present, result }), {
    actual: { get: () => decisive().value, enumerable: true },
    element: { get: () => textOfPath(decisive().path), enumerable: true },
  }) as LeafTrace;
}

const isPresent = ({ path }: Step, array: readonly unknown[], account: Account): boolean =>
  valuesBelow(array, path.slice(path.indexOf(STAR) + 1), account).all.length > 0;

/** The first value for which a leaf's operator holds, or the one that it negates; it does for one. */
function firstOf({ leaf, path }: Step, event: unknown, patterns: PatternOptions): Found {
  const test = testOf(leaf, patterns);
  const account = new Account(budgetOf(patterns));
  for (const found of findAll(event, path)) {
    if (test(found.value, account) === true) return found;
  }
  throw new Error('the event has changed since it was explained');
}
