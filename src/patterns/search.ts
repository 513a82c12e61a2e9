/** The search for the next match of a pattern, within a budget. */
import { widthAt, widthBefore } from './code-points.js';
import type { Starts } from './filter.js';
import type { Searcher } from './native.js';
import type { Work } from './pattern.js';
import type { EngineProgram, PatternEngine, PatternMatch } from './port.js';
import type { Reach } from './reach.js';
import { NATIVE_UNITS, charge } from './work.js';

/** UTF-16 units of the first window of a search, and the factor by which windows grow while they decide nothing. */
const FIRST_WINDOW = 1024;
const GROWTH = 4;

/** Bounds of the first window at a possible start: it is as long as the reach of a match that starts there. */
const MIN_WINDOW_AT_START = 128;
const MAX_WINDOW_AT_START = 8192;

/** The work of tracking one group, relative to that of finding a match; measured on the slower engine. */
const GROUP_WORK = 16;

/** The least work units of a call of an engine; measured on the slower one. */
const CALL_WORK = 256;

/** Work units of a call of a native search, and the longest text that it searches at full speed; measured. */
const NATIVE_CALL_WORK = 16;
const NATIVE_LENGTH = 8;

/** The parameters of a search. */
export interface SearchTerms {
  readonly engine: PatternEngine;
  readonly cost: number;
  readonly reach: Reach;
  /** The positions at which a match can begin; `null` for anywhere. */
  readonly starts: Starts | null;
  /** The number of capturing groups if their texts are wanted, otherwise 0. */
  readonly groups: number;
  /** Runs the pattern's program; `undefined` when the engine failed. */
  readonly run: <Answer>(use: (program: EngineProgram) => Answer) => Answer | undefined;
}

/** Finds the next match: `null` if nothing matches, `undefined` if the budget ends or the engine fails. */
export type Next = (from: number) => PatternMatch | null | undefined;

/**
 * A search of one text by an engine, which charges its work.
 *
 * The engine is shown one window of the text at a time, since work is charged for all text that it may read. A match is
 * accepted only if no candidate match can reach past the window's end: then more text would not change it. Otherwise a
 * longer window follows, which starts at the first candidate that can still match.
 */
export function boundedSearch(text: string, work: Work, terms: SearchTerms): Next {
  const { engine, cost, reach, starts, groups, run } = terms;

  /** Units of the first window at an offset. */
  function firstWindow(at: number): number {
    if (starts === null) return FIRST_WINDOW;
    const reached = reach.end(text, at) - at;
    return Math.min(Math.max(reached, MIN_WINDOW_AT_START), MAX_WINDOW_AT_START);
  }

  /** Searches a window. Charges the most that it can cost beforehand, and refunds the rest afterwards. */
  function look(from: number, end: number): PatternMatch | null | undefined {
    const worst = Math.max(CALL_WORK, cost * (end - from));
    if (!charge(work, worst)) return undefined;
    if (end - from > engine.maxSubjectLength) return undefined;
    const span = run((program) => searchWindow(program, text, from, end, false));
    const seen = (span ? Math.min(end, reach.end(text, span.start)) : end) - from;
    work.left += worst - Math.max(CALL_WORK, cost * seen);
    return span;
  }

  /** Repeats the search for a match, with its groups. */
  function withGroups(start: number): PatternMatch | null | undefined {
    const end = reach.end(text, start);
    if (!charge(work, cost * (end - start) * (1 + groups) * GROUP_WORK)) return undefined;
    return run((program) => searchWindow(program, text, start, end, true));
  }

  return (from) => {
    let at = nextStart(from, text, work, starts);
    let size = typeof at === 'number' ? firstWindow(at) : 0;
    while (typeof at === 'number') {
      const end = windowEnd(text, at + size);
      const span = look(at, end);
      if (span === undefined) return undefined;
      if (span !== null && reach.end(text, span.start) <= end) {
        return groups > 0 ? withGroups(span.start) : span;
      }
      if (end === text.length) return null;
      const alive: number = span === null ? reach.alive(text, at, end) : at;
      size *= GROWTH;
      if (alive === at) continue;
      at = nextStart(alive, text, work, starts);
      if (starts !== null && typeof at === 'number') size = firstWindow(at);
    }
    return at;
  };
}

/** The next position at which a match can begin: `null` if none can, `undefined` if the budget ends. */
function nextStart(from: number, text: string, work: Work, starts: Starts | null): number | null | undefined {
  if (starts === null) return from;
  for (let at = from; ; at++) {
    const start = starts.next(text, at);
    const passed = (start < 0 ? text.length : start) - at;
    const due = (passed + starts.check.characters) / NATIVE_UNITS + NATIVE_CALL_WORK;
    if (!charge(work, due)) return undefined;
    if (start < 0 || starts.check.fits(text, start)) return start < 0 ? null : start;
    at = start;
  }
}

/** A search without an engine. It is charged too, since a rule may have many redacts and a text many matches. */
export function nativeSearch({ longest, next }: Searcher, text: string, work: Work): Next {
  const unitsOfWork = NATIVE_UNITS / Math.max(1, longest / NATIVE_LENGTH);
  return (from) => {
    const span = next(text, from);
    const passed = (span?.end ?? text.length) - from;
    return charge(work, passed / unitsOfWork + NATIVE_CALL_WORK) ? span : undefined;
  };
}

/** The end of a window: not past the text, and not inside a surrogate pair. */
function windowEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return end - 1 + widthAt(text, end - 1);
}

/** Searches from `from` to `end`. The engine sees one character before, for `^` and `\b`. */
function searchWindow(
  program: EngineProgram,
  text: string,
  from: number,
  end: number,
  groups: boolean,
): PatternMatch | null {
  const start = from === 0 ? 0 : from - widthBefore(text, from);
  const found = program.next(text.slice(start, end), from - start, groups);
  return found && { start: found.start + start, end: found.end + start, groups: found.groups };
}
