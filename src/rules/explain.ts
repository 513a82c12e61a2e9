/** Why a match tree matched an event, or did not: leaf by leaf. */
import type { Json } from '../json.js';
import { budgetOf } from '../patterns/index.js';
import { assertMatchRuns } from './engine.js';
import { MATCHED, compileProgram, holds, leafPlaces, type Program, type Step } from './match/index.js';
import { ignoresValue } from './operators/index.js';
import { pointerTo, type Place } from './issues/index.js';
import { readPatternOptions, type RuleOptions, assertMatch } from './validate/index.js';
import { readPath } from './path.js';
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
  /** Whether the event has the path. */
  readonly present: boolean;
  /** The value that the event has at the path; `undefined` where it has none. */
  readonly actual: unknown;
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
    return leafTrace(program[at] as Step, place, event, results[at] as LeafResult);
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

function leafTrace(step: Step, place: Place, event: unknown, result: LeafResult): LeafTrace {
  const { path, op, value } = step.leaf;
  const actual = readPath(event, step.path);
  return {
    /** Made when it is looked at: the pointers of a deep tree are long. */
    get pointer() {
      return pointerTo(place);
    },
    path,
    op,
    ...(ignoresValue(op) ? {} : { value: value as Json }),
    present: actual !== undefined,
    actual,
    result,
  };
}
