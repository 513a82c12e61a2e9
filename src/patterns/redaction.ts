/** Replacing every match of a pattern, within a budget. */
import { widthAt } from './code-points.js';
import { commonFilter, filterOf, startsOf } from './filter.js';
import { nativeSearcher } from './native.js';
import {
  attempt,
  parsePattern,
  readOptions,
  type CheckedPattern,
  type PatternOptions,
  type Work,
} from './pattern.js';
import type { PatternMatch } from './port.js';
import { printPattern } from './print.js';
import { reachOf } from './reach.js';
import { boundedSearch, nativeSearch, type Next, type SearchTerms } from './search.js';
import { fillTemplate, filledLength, parseTemplate, usesGroups, type TemplatePart } from './template.js';
import { wellFormed } from './well-formed.js';
import { NATIVE_UNITS, charge } from './work.js';

/** UTF-16 units that redactions may add to one event: each may multiply what the one before made. */
export const MAX_GROWTH = 1 << 22;

/** Units that are compared at the cost of one unit of work while a group's place is looked for. */
const COMPARED_UNITS = 32;

/** The result of redacting a subject. */
export interface Redaction {
  /** The subject with every match replaced. */
  readonly text: string;
  /** The budget was met, or the engine failed: `text` is the template as written, and nothing of the subject. */
  readonly limited: boolean;
}

/** A compiled redaction. It never throws: what exceeds its bounds is replaced as a whole. */
export interface Redactor {
  /**
   * @param subject - Any string.
   * @param room - UTF-16 units that it may grow by. @defaultValue what one event may grow by
   * @param work - Where the work is charged. @defaultValue an account of its own, holding the budget
   */
  (subject: string, room?: number, work?: Work): Redaction;
  /** The replacement of a whole subject: the template as written, cut where the room ends. */
  closed(subject: string, room: number): string;
}

/**
 * Compiles the replacement of every match, leftmost first, as JavaScript's global replace with the `u` flag.
 *
 * @param source - RE2 syntax, at most 200 code points.
 * @param template - `$1` to `$99`, `$<name>`, `$&` and `$$` as in `String.prototype.replace`; anything else is text.
 * @throws {@link PatternError} where {@link checkPattern} returns a problem.
 * @throws {@link OptionError} `invalid_option` when the budget is no positive number.
 */
export function compileRedaction(source: string, template: string, options: PatternOptions = {}): Redactor {
  const { budget } = readOptions(options);
  const parsed = parsePattern(source);
  const parts = parseTemplate(template, parsed.groups, parsed.names);
  const search = searchOf(parsed, usesGroups(parts), options);

  function redact(subject: string, room: number, work: Work): string | undefined {
    const text = wellFormed(subject);
    const next = search(text, work);
    if (next === null || next === undefined) return next === null ? subject : undefined;
    return replaceAll({ subject, text, parts, next, maxLength: subject.length + room, work });
  }

  const redactor = (subject: string, room = MAX_GROWTH, work: Work = { left: budget }): Redaction => {
    const text = redact(subject, room, work);
    return { text: text ?? closed(subject, room), limited: text === undefined };
  };
  const closed = (subject: string, room: number): string => cut(template, subject.length + room);
  return Object.assign(redactor, { closed });
}

/** False where surely none of some patterns is in a text; where the account does not suffice to know, true. */
export type Filter = (subject: string, work: Work) => boolean;

/** One filter for several patterns: it looks at a text once, however many they are. */
export function compileFilter(sources: readonly string[]): Filter {
  const { shortest, passes } = commonFilter(sources.map((source) => parsePattern(source).tree));
  return (subject, work) =>
    subject.length >= shortest &&
    (!charge(work, subject.length / NATIVE_UNITS) || passes(wellFormed(subject)));
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : wellFormed(text.slice(0, length));

/** A search over a text; `null` where there surely is no match, `undefined` where the budget ends. */
type Search = (text: string, work: Work) => Next | null | undefined;

function searchOf(
  { tree, groups, cost }: CheckedPattern,
  wantsGroups: boolean,
  options: PatternOptions,
): Search {
  const native = wantsGroups ? null : nativeSearcher(tree);
  const { shortest, passes } = filterOf(tree);
  if (native !== null) {
    return (text, work) => (text.length < shortest ? null : nativeSearch(native, text, work));
  }
  const { engine } = readOptions(options);
  const printed = printPattern(tree);
  const terms: SearchTerms = {
    engine,
    cost,
    reach: reachOf(tree),
    starts: startsOf(tree),
    groups: wantsGroups ? groups : 0,
    run: (use) => attempt(engine, printed, use),
  };
  return (text, work) => {
    if (text.length < shortest) return null;
    if (!charge(work, text.length / NATIVE_UNITS)) return undefined;
    return passes(text) ? boundedSearch(text, work, terms) : null;
  };
}

/** One subject whose matches are to be replaced. */
interface Replacing {
  readonly subject: string;
  /** The subject as engines see it: U+FFFD for each lone surrogate. */
  readonly text: string;
  readonly parts: readonly TemplatePart[];
  readonly next: Next;
  readonly maxLength: number;
  readonly work: Work;
}

/** The subject with its matches replaced; `undefined` where the search gives up or the text would outgrow its bound. */
function replaceAll(replacing: Replacing): string | undefined {
  const { subject, parts, next, maxLength } = replacing;
  let redacted = '';
  let kept = 0;
  let from = 0;
  while (from <= subject.length) {
    const span = next(from);
    if (span === undefined) return undefined;
    if (span === null) break;
    const { start, end } = span;
    const groups = restore(replacing, span);
    if (groups === undefined) return undefined;
    const length = redacted.length + (start - kept) + filledLength(parts, end - start, groups);
    if (length > maxLength) return undefined;
    redacted += subject.slice(kept, start) + fillTemplate(parts, subject.slice(start, end), groups);
    kept = end;
    from = end > start ? end : end + widthAt(subject, end);
  }
  return redacted.length + (subject.length - kept) > maxLength ? undefined : redacted + subject.slice(kept);
}

/**
 * Texts of groups as the subject has them: lone surrogates for the U+FFFD that the engine saw, by first occurrence.
 *
 * @returns `undefined` where looking for the occurrence would exceed the budget.
 */
function restore(
  { subject, text, work }: Replacing,
  { start, end, groups }: PatternMatch,
): PatternMatch['groups'] | undefined {
  if (subject === text) return groups;
  const restored: (string | undefined)[] = [];
  for (const group of groups) {
    if (group?.includes('\ufffd') !== true) restored.push(group);
    else if (!charge(work, ((end - start) * group.length) / COMPARED_UNITS)) return undefined;
    else {
      const at = text.indexOf(group, start);
      restored.push(subject.slice(at, at + group.length));
    }
  }
  return restored;
}
