/** The next match of a pattern by an engine, within a budget. */
import { widthAt } from './code-points.js';
import type { Searcher } from './native.js';
import type { Work } from './pattern.js';
import type { EngineProgram, PatternEngine, Span } from './port.js';
import type { Reach } from './reach.js';
import { NATIVE_UNITS, charge } from './work.js';

/** UTF-16 units that a search sees at first, and by how much it grows when they decide nothing. */
const FIRST_WINDOW = 1024;
const GROWTH = 4;

/** The same where it is known that a match may begin at the first of them. */
const FIRST_WINDOW_AT_START = 128;

/** Times that keeping track of one group costs what finding a match does; measured on the slower engine. */
const GROUP_WORK = 16;

/** What calling an engine costs, however little it looks at; measured on the slower one. */
const CALL_WORK = 256;

/** What a search for texts costs, and up to which length of the texts it scans at full speed; measured. */
const NATIVE_CALL_WORK = 16;
const NATIVE_LENGTH = 8;

/** What a search needs to know about a pattern and its host. */
export interface SearchTerms {
  readonly engine: PatternEngine;
  readonly cost: number;
  readonly reach: Reach;
  /** Where a match can begin, -1 for nowhere; `null` for anywhere. */
  readonly starts: ((text: string, from: number) => number) | null;
  /** How many capturing groups the caller wants the texts of. */
  readonly groups: number;
  /** Runs the pattern's program; `undefined` when the engine failed. */
  readonly run: <Answer>(use: (program: EngineProgram) => Answer) => Answer | undefined;
}

/** `null` without a further match, `undefined` where the budget ends or the engine fails. */
export type Next = (from: number) => Span | null | undefined;

/**
 * A search over one text that keeps account of its work.
 *
 * The engine sees a window at a time, since searching costs what may be looked at, not what is found. A
 * match counts only if no candidate can have been alive at the window's end: then more text changes nothing.
 * Where no candidate is left before the window's end, the next window begins behind those that are dead.
 */
export function boundedSearch(text: string, work: Work, terms: SearchTerms): Next {
  const { engine, cost, reach, starts, groups, run } = terms;
  const first = starts === null ? FIRST_WINDOW : FIRST_WINDOW_AT_START;

  /** The next place where a match can begin. */
  function startFrom(from: number): number | null | undefined {
    if (starts === null) return from;
    const start = starts(text, from);
    const passed = (start < 0 ? text.length : start) - from;
    if (!charge(work, passed / NATIVE_UNITS + NATIVE_CALL_WORK)) return undefined;
    return start < 0 ? null : start;
  }

  /** Pays before working: the worst that a window can cost must be there, what it did cost is taken. */
  function look(from: number, end: number): Span | null | undefined {
    const worst = Math.max(CALL_WORK, cost * (end - from));
    if (!charge(work, worst)) return undefined;
    if (end - from > engine.maxSubjectLength) return undefined;
    const span = run((program) => searchWindow(program, text, from, end, false));
    const seen = (span ? Math.min(end, reach.end(text, span.start)) : end) - from;
    work.left += worst - Math.max(CALL_WORK, cost * seen);
    return span;
  }

  /** The match again, with its groups. */
  function withGroups(start: number): Span | null | undefined {
    const end = reach.end(text, start);
    if (!charge(work, cost * (end - start) * (1 + groups) * GROUP_WORK)) return undefined;
    return run((program) => searchWindow(program, text, start, end, true));
  }

  return (from) => {
    let at = startFrom(from);
    let size = first;
    while (typeof at === 'number') {
      const end = windowEnd(text, at + size);
      const span = look(at, end);
      if (span === undefined) return undefined;
      if (span !== null && reach.end(text, span.start) <= end)
        return groups > 0 ? withGroups(span.start) : span;
      if (end === text.length) return null;
      const alive: number = span === null ? reach.alive(text, at, end) : at;
      size = alive > at && starts !== null ? first : size * GROWTH;
      if (alive > at) at = startFrom(alive);
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
): Span | null {
  const base = Math.max(0, from - 2);
  const start = base > 0 && isLowSurrogate(text, base) ? base - 1 : base;
  const found = program.next(text.slice(start, end), from - start, groups);
  return found && { start: found.start + start, end: found.end + start, groups: found.groups };
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
