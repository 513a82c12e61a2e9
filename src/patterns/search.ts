/** The next match of a pattern by an engine, within a budget. */
import { widthAt } from './code-points.js';
import type { Work } from './pattern.js';
import type { EngineProgram, PatternEngine, Span } from './port.js';
import type { Reach } from './reach.js';

/** UTF-16 units that a search sees at first, and by how much it grows when they decide nothing. */
const FIRST_WINDOW = 1024;
const GROWTH = 4;

/** Times that keeping track of one group costs what finding a match does; measured on the slower engine. */
const GROUP_WORK = 16;

/** What calling an engine costs, however little it looks at; measured on the slower one. */
const CALL_WORK = 256;

/** What a search needs to know about a pattern and its host. */
export interface SearchTerms {
  readonly engine: PatternEngine;
  readonly cost: number;
  readonly reach: Reach;
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
 */
export function boundedSearch(text: string, work: Work, terms: SearchTerms): Next {
  const { engine, cost, reach, groups, run } = terms;

  /** Pays before working: the worst that a window can cost must be there, what it did cost is taken. */
  function look(from: number, end: number): Span | null | undefined {
    const worst = Math.max(CALL_WORK, cost * (end - from));
    if (worst > work.left || end - from > engine.maxSubjectLength) return undefined;
    const span = run((program) => searchWindow(program, text, from, end, false));
    const seen = (span ? Math.min(end, reach(text, span.start)) : end) - from;
    work.left -= Math.max(CALL_WORK, cost * seen);
    return span;
  }

  /** The match again, with its groups. */
  function withGroups(start: number): Span | null | undefined {
    const end = reach(text, start);
    work.left -= cost * (end - start) * (1 + groups) * GROUP_WORK;
    return work.left < 0 ? undefined : run((program) => searchWindow(program, text, start, end, true));
  }

  return (from) => {
    for (let size = FIRST_WINDOW; ; size *= GROWTH) {
      const end = windowEnd(text, from + size);
      const span = look(from, end);
      if (span === undefined) return undefined;
      if (span !== null && reach(text, span.start) <= end) return groups > 0 ? withGroups(span.start) : span;
      if (end === text.length) return null;
    }
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
