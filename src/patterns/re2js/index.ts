/** The default engine: RE2 in plain JavaScript. */
import { RE2JS } from 're2js';
import type { EngineProgram, PatternEngine, PatternMatch } from '../port.js';

/** Memory for the states of one program's automaton, in bytes; beyond it re2js starts over or simulates. */
const AUTOMATON_BYTES = 1 << 20;

const UNANCHORED = 0;

/** re2js, which needs nothing beyond JavaScript. */
export const re2js: PatternEngine = {
  name: 're2js',
  maxSubjectLength: Infinity,
  maxPrograms: 128,
  compile: (pattern) => new Program(RE2JS.compile(pattern)),
};

type Compiled = ReturnType<RE2JS['re2']>;

class Program implements EngineProgram {
  private readonly compiled: Compiled;
  private readonly groups: number;

  constructor(pattern: RE2JS) {
    this.compiled = pattern.re2();
    this.groups = pattern.groupCount();
    this.compiled.dfa.memBudget = AUTOMATON_BYTES;
    this.compiled.dfa.stateBudget = AUTOMATON_BYTES;
  }

  test(subject: string): boolean {
    return this.compiled.match(subject);
  }

  next(subject: string, from: number, groups: boolean): PatternMatch | null {
    const spans = groups ? 1 + this.groups : 1;
    const found: readonly unknown[] = this.compiled.matchWithGroup(
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
    // All of it lies on JavaScript's heap.
  }
}

/** Flat pairs of positions, `-1` where a group took no part → texts. */
function texts(subject: string, positions: readonly number[]): (string | undefined)[] {
  return Array.from({ length: positions.length / 2 }, (_, group) => {
    const start = positions[2 * group] as number;
    return start < 0 ? undefined : subject.slice(start, positions[2 * group + 1]);
  });
}
