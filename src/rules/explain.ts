/** Why a match tree matched an event, or did not: leaf by leaf. */
import type { Json } from '../json.js';
import { budgetOf, type PatternOptions } from '../patterns/index.js';
import { assertMatchRuns } from './engine.js';
import { MATCHED, compileProgram, holds, leafPlaces, testOf, type Program, type Step } from './match/index.js';
import { ignoresValue } from './operators/index.js';
import { pointerTo, type Place } from './issues/index.js';
import { readPatternOptions, type RuleOptions, assertMatch } from './validate/index.js';
import { STAR, findAll, readPath, textOfPath, type Found } from './path.js';
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
   * The value that the event has at the path; `undefined` if it has none. Of a path with stars, the value at `element`, or
   * `undefined` if no value decided.
   */
  readonly actual: unknown;
  /**
   * Of a path with stars, the path of the first value that decided: the operator holds for it, or for `neq`, `missing` and
   * each `not_` operator, the one that it negates. Such as `data.body.items.2.sku`; absent if there is none.
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
  const { matched, results } = trace(program, event, new Account(budgetOf(patterns)));
  const places = leafPlaces(match);
  const leaves = places.map((place, i) => {
    // Steps stand last leaf first.
    const at = program.length - 1 - i;
    return leafTrace(program[at] as Step, place, event, results[at] as LeafResult, patterns);
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

function leafTrace(
  step: Step,
  place: Place,
  event: unknown,
  result: LeafResult,
  patterns: PatternOptions,
): LeafTrace {
  const { path, op, value } = step.leaf;
  return {
    /** Made when it is looked at: the pointers of a deep tree are long. */
    get pointer() {
      return pointerTo(place);
    },
    path,
    op,
    ...(ignoresValue(op) ? {} : { value: value as Json }),
    ...(step.last === STAR ? manySeen(step, event, result, patterns) : oneSeen(step, event)),
    result,
  };
}

type Seen = Pick<LeafTrace, 'present' | 'actual' | 'element'>;

function oneSeen({ path }: Step, event: unknown): Seen {
  const actual = readPath(event, path);
  return { present: actual !== undefined, actual };
}

/** What a leaf with stars in its path has seen. A leaf that was not reached, or not decided, has found nothing. */
function manySeen({ leaf, path }: Step, event: unknown, result: LeafResult, patterns: PatternOptions): Seen {
  const found = findAll(event, path);
  const first = found.next();
  if (first.done === true) return { present: false, actual: undefined };
  if (result === 'not_reached' || result === 'undecided') return { present: true, actual: undefined };
  const test = testOf(leaf, patterns);
  const account = new Account(budgetOf(patterns));
  const decides = ({ value }: Found): boolean => test(value, account) === true;
  let decisive: Found | undefined = decides(first.value) ? first.value : undefined;
  while (decisive === undefined) {
    const next = found.next();
    if (next.done === true) return { present: true, actual: undefined };
    if (decides(next.value)) decisive = next.value;
  }
  return { present: true, actual: decisive.value, element: textOfPath(decisive.path) };
}
