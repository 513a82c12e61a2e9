/** Redaction: replacing every match of a pattern, within a budget. */
import { parsePattern, type CheckedPattern } from './check.js';
import { widthAt } from './code-points.js';
import { commonFilter, filterOf, startsOf } from './filter.js';
import { nativeSearcher } from './native.js';
import { attempt, readOptions, type PatternOptions, type Work } from './pattern.js';
import type { PatternMatch } from './port.js';
import { printPattern } from './print.js';
import { reachOf } from './reach.js';
import { boundedSearch, nativeSearch, type Next, type SearchTerms } from './search.js';
import { fillTemplate, filledLength, parseTemplate, usesGroups, type TemplatePart } from './template.js';
import { wellFormed } from './well-formed.js';
import { NATIVE_UNITS, charge } from './work.js';

/**
 * UTF-16 units that redactions may add to one event. Without a bound, each could multiply the result of the one before.
 */
export const MAX_GROWTH = 1 << 22;

/** UTF-16 units that can be compared in the time of one unit of work, in the search for a group's text. */
const COMPARED_UNITS = 32;

/** The result of redacting a subject. */
export interface Redaction {
  /** The subject with every match replaced. */
  readonly text: string;
  /** Whether the budget or the room was exceeded, or the engine failed: then `text` is the template as written. */
  readonly limited: boolean;
}

/** A compiled redaction. It never throws; a subject that exceeds its bounds is replaced as a whole. */
export interface Redactor {
  /**
   * @param subject - Any string.
   * @param room - UTF-16 units by which the subject may grow. @defaultValue {@link MAX_GROWTH}
   * @param work - The account to charge. @defaultValue a new one that holds the budget
   */
  (subject: string, room?: number, work?: Work): Redaction;
  /** The replacement of a whole subject: the template as written, cut to the room. */
  closed(subject: string, room: number): string;
}

/**
 * Compiles the replacement of every match, leftmost first, as JavaScript's global replace with the `u` flag.
 *
 * @param source - RE2 syntax, at most 200 code points.
 * @param template - `$1` to `$99`, `$<name>`, `$&` and `$$` as in `String.prototype.replace`; anything else is text.
 * @throws {@link PatternError} where {@link checkPattern} returns a problem.
 * @throws {@link OptionError} `invalid_option` unless the budget is a positive number.
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

/** False only if none of some patterns can match a text; true even if the account does not suffice to find out. */
export type Filter = (subject: string, work: Work) => boolean;

/** One filter for several patterns, which reads a text once. */
export function compileFilter(sources: readonly string[]): Filter {
  const { shortest, passes } = commonFilter(sources.map((source) => parsePattern(source).tree));
  return (subject, work) =>
    subject.length >= shortest &&
    (!charge(work, subject.length / NATIVE_UNITS) || passes(wellFormed(subject)));
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : wellFormed(text.slice(0, length));

/** Begins a search of a text: `null` if no match is possible, `undefined` if the budget ends. */
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

/** The state of one redaction. */
interface Replacing {
  readonly subject: string;
  /** The subject with U+FFFD for each lone surrogate. */
  readonly text: string;
  readonly parts: readonly TemplatePart[];
  readonly next: Next;
  readonly maxLength: number;
  readonly work: Work;
}

/** Replaces all matches; `undefined` if the search gives up or the result would be too long. */
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
 * The texts of groups with the lone surrogates of the subject, for which the engine saw U+FFFD. The engine does not
 * tell where a group is, so its first occurrence in the match is taken.
 *
 * @returns `undefined` if searching for the occurrence would exceed the budget.
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
