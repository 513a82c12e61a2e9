/** The engines under test, and helpers that run them directly. */
import { widthAt } from '../../src/patterns/code-points.js';
import { parsePattern } from '../../src/patterns/check.js';
import type { EngineProgram, PatternEngine } from '../../src/patterns/index.js';
import { printPattern } from '../../src/patterns/print.js';
import { createRe2WasmEngine } from '../../src/patterns/re2-wasm/index.js';
import { re2js } from '../../src/patterns/re2js/index.js';

export { re2js };

/** One instance for a test file, as the documentation advises hosts. */
export const re2Wasm = createRe2WasmEngine();

/** Start, end and the texts of groups. */
export type Match = readonly [number, number, ...(string | undefined)[]];

/** The program of a pattern, printed as patterns print it. */
export function programOf(engine: PatternEngine, pattern: string): EngineProgram {
  return engine.compile(printPattern(parsePattern(pattern).tree));
}

/** All successive matches; an empty match is followed by a search one character further. */
export function allMatches(next: (from: number) => Match | null, subject: string): readonly Match[] {
  const matches: Match[] = [];
  let from = 0;
  while (from <= subject.length) {
    const match = next(from);
    if (match === null) break;
    matches.push(match);
    from = match[1] > match[0] ? match[1] : match[1] + widthAt(subject, match[1]);
  }
  return matches;
}

/** All matches straight from an engine, with groups. */
export function engineMatches(program: EngineProgram, subject: string): readonly Match[] {
  return allMatches((from) => {
    const span = program.next(subject, from, true);
    return span && [span.start, span.end, ...span.groups];
  }, subject);
}
