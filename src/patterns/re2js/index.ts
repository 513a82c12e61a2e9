/** The default engine: RE2 in plain JavaScript. */
import { RE2JS } from 're2js';
import type { EngineProgram, PatternEngine, PatternMatch } from '../port.js';

/** Bytes for the states of one program's automaton; beyond it re2js clears them, or simulates without states. */
const AUTOMATON_BYTES = 1 << 20;

const UNANCHORED = 0;

/** The engine re2js. Its programs live on JavaScript's heap alone. */
export const re2js: PatternEngine = {
  name: 're2js',
  maxSubjectLength: Infinity,
  maxPrograms: 128,
  compile: (pattern) => new Program(RE2JS.compile(pattern)),
};

type Compiled = ReturnType<RE2JS['re2']>;

/** A compiled program of re2js. Kept by the program cache until it is evicted. */
class Program implements EngineProgram {
  readonly #compiled: Compiled;
  readonly #groups: number;

  constructor(pattern: RE2JS) {
    this.#compiled = pattern.re2();
    this.#groups = pattern.groupCount();
    this.#compiled.dfa.memBudget = AUTOMATON_BYTES;
    this.#compiled.dfa.stateBudget = AUTOMATON_BYTES;
  }

  test(subject: string): boolean {
    return this.#compiled.match(subject);
  }

  next(subject: string, from: number, groups: boolean): PatternMatch | null {
    const spans = groups ? 1 + this.#groups : 1;
    const found: readonly unknown[] = this.#compiled.matchWithGroup(
      subject,
      from,
      subject.length,
      UNANCHORED,
      spans,
    );
    if (found[0] !== true) return null;
    const [start, end, ...positions] = found[1] as [number, number, ...number[]];
    return { start, end, groups: texts(subject, positions) };
  }

  dispose(): void {
    // Nothing is held outside of JavaScript's heap.
  }
}

/** The texts of groups from flat pairs of positions, which are `-1` where a group took no part. */
function texts(subject: string, positions: readonly number[]): (string | undefined)[] {
  return Array.from({ length: positions.length / 2 }, (_, group) => {
    const start = positions[2 * group] as number;
    return start < 0 ? undefined : subject.slice(start, positions[2 * group + 1]);
  });
}
