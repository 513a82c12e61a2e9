/** The next match of a pattern by an engine, within a budget. */
import { widthAt } from './code-points.js';
import type { Starts } from './filter.js';
import type { Searcher } from './native.js';
import type { Work } from './pattern.js';
import type { EngineProgram, PatternEngine, PatternMatch } from './port.js';
import type { Reach } from './reach.js';
import { NATIVE_UNITS, charge } from './work.js';

/** UTF-16 units that a search sees at first, and by how much it grows when they decide nothing. */
const FIRST_WINDOW = 1024;
const GROWTH = 4;

/** Bounds of the first window where a match may begin at its first unit: it sees what that match may look at. */
const MIN_WINDOW_AT_START = 128;
const MAX_WINDOW_AT_START = 8192;

/** Cost of tracking one group, in costs of finding a match; measured on the slower engine. */
const GROUP_WORK = 16;

/** Work units of one call of an engine, at least; measured on the slower one. */
const CALL_WORK = 256;

/** Work units of one search for texts, and the length of the texts up to which it scans at full speed; measured. */
const NATIVE_CALL_WORK = 16;
const NATIVE_LENGTH = 8;

/** The pattern, engine and groups of a search. */
export interface SearchTerms {
  readonly engine: PatternEngine;
  readonly cost: number;
  readonly reach: Reach;
  /** Where a match can begin; `null` for anywhere. */
  readonly starts: Starts | null;
  /** How many capturing groups the caller wants the texts of. */
  readonly groups: number;
  /** Runs the pattern's program; `undefined` when the engine failed. */
  readonly run: <Answer>(use: (program: EngineProgram) => Answer) => Answer | undefined;
}

/** `null` without a further match, `undefined` where the budget ends or the engine fails. */
export type Next = (from: number) => PatternMatch | null | undefined;

/**
 * A search over one text that keeps account of its work.
 *
 * The engine sees a window at a time, since searching costs what may be looked at, not what is found. A
 * match counts only if no candidate can have been alive at the window's end: then more text changes nothing.
 * Where no candidate is left before the window's end, the next window begins behind those that are dead.
 */
export function boundedSearch(text: string, work: Work, terms: SearchTerms): Next {
  const { engine, cost, reach, starts, groups, run } = terms;

  /** Units of the first window at a place. */
  function firstWindow(at: number): number {
    if (starts === null) return FIRST_WINDOW;
    const reached = reach.end(text, at) - at;
    return Math.min(Math.max(reached, MIN_WINDOW_AT_START), MAX_WINDOW_AT_START);
  }

  /** The next place where a match can begin. */
  function startFrom(from: number): number | null | undefined {
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

  /** Pays before working: the worst that a window can cost must be there, what it did cost is taken. */
  function look(from: number, end: number): PatternMatch | null | undefined {
    const worst = Math.max(CALL_WORK, cost * (end - from));
    if (!charge(work, worst)) return undefined;
    if (end - from > engine.maxSubjectLength) return undefined;
    const span = run((program) => searchWindow(program, text, from, end, false));
    const seen = (span ? Math.min(end, reach.end(text, span.start)) : end) - from;
    work.left += worst - Math.max(CALL_WORK, cost * seen);
    return span;
  }

  /** The match again, with its groups. */
  function withGroups(start: number): PatternMatch | null | undefined {
    const end = reach.end(text, start);
    if (!charge(work, cost * (end - start) * (1 + groups) * GROUP_WORK)) return undefined;
    return run((program) => searchWindow(program, text, start, end, true));
  }

  return (from) => {
    let at = startFrom(from);
    let size = typeof at === 'number' ? firstWindow(at) : 0;
    while (typeof at === 'number') {
      const end = windowEnd(text, at + size);
      const span = look(at, end);
      if (span === undefined) return undefined;
      if (span !== null && reach.end(text, span.start) <= end)
        return groups > 0 ? withGroups(span.start) : span;
      if (end === text.length) return null;
      const alive: number = span === null ? reach.alive(text, at, end) : at;
      size *= GROWTH;
      if (alive === at) continue;
      at = startFrom(alive);
      if (starts !== null && typeof at === 'number') size = firstWindow(at);
    }
    return at;
  };
}

/** A search that needs no engine, and keeps account all the same: a rule may have many redacts, a text many matches. */
export function nativeSearch({ longest, next }: Searcher, text: string, work: Work): Next {
  const unitsOfWork = NATIVE_UNITS / Math.max(1, longest / NATIVE_LENGTH);
  return (from) => {
    const span = next(text, from);
    const passed = (span?.end ?? text.length) - from;
    return charge(work, passed / unitsOfWork + NATIVE_CALL_WORK) ? span : undefined;
  };
}

/** The end of a window, in the text and between characters. */
function windowEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return end - 1 + widthAt(text, end - 1);
}

/** Searches from `from` to `end`; one character before stays in sight, for `^` and `\b`. */
function searchWindow(
  program: EngineProgram,
  text: string,
  from: number,
  end: number,
  groups: boolean,
): PatternMatch | null {
  const base = Math.max(0, from - 2);
  const start = base > 0 && isLowSurrogate(text, base) ? base - 1 : base;
  const found = program.next(text.slice(start, end), from - start, groups);
  return found && { start: found.start + start, end: found.end + start, groups: found.groups };
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
