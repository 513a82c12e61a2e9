/** Replacing every match of a pattern, within a budget. */
import { widthAt } from './code-points.js';
import { holdsLiterals, requiredLiterals } from './literals.js';
import { nativeSearcher, type Searcher } from './native.js';
import { attempt, parsePattern, readOptions, type PatternOptions, type Work } from './pattern.js';
import type { Span } from './port.js';
import { printPattern } from './print.js';
import { reachOf } from './reach.js';
import { boundedSearch, type Next, type SearchTerms } from './search.js';
import { fillTemplate, parseTemplate, usesGroups } from './template.js';
import { wellFormed } from './well-formed.js';

/** UTF-16 units that redactions may add to one event: each may multiply what the one before made. */
export const MAX_GROWTH = 1 << 22;

/** What it costs to replace a match where no engine runs, and how many units it scans at the cost of one; measured. */
const NATIVE_MATCH_WORK = 16;
const NATIVE_UNITS = 4;

/** What became of a subject. */
export interface Redaction {
  /** The subject with every match replaced. */
  readonly text: string;
  /** The budget was met, or the engine failed: `text` is the template as written, and nothing of the subject. */
  readonly limited: boolean;
}

/**
 * Compiles the replacement of every match, leftmost first, as JavaScript's global replace with the `u` flag.
 *
 * @param source - RE2 syntax, at most 200 code points.
 * @param template - `$1` to `$99`, `$<name>`, `$&` and `$$` as in `String.prototype.replace`; anything else is text.
 * @returns A function of the subject, of the UTF-16 units that it may grow by, and of the account that its work is charged
 *   to. It never throws: what exceeds its bounds is replaced as a whole by the template.
 * @throws {@link PatternError} where {@link checkPattern} returns a problem.
 * @throws {@link OptionError} `invalid_option` when the budget is no positive number.
 */
export function compileRedaction(
  source: string,
  template: string,
  options: PatternOptions = {},
): (subject: string, room?: number, work?: Work) => Redaction {
  const { tree, groups, names, cost } = parsePattern(source);
  const { engine, budget } = readOptions(options);
  const parts = parseTemplate(template, groups, names);
  const native = usesGroups(parts) ? null : nativeSearcher(tree);
  const literals = requiredLiterals(tree);
  const printed = printPattern(tree);
  const terms: SearchTerms = {
    engine,
    cost,
    reach: reachOf(tree),
    groups: usesGroups(parts) ? groups : 0,
    run: (use) => attempt(engine, printed, use),
  };

  return (subject, room = MAX_GROWTH, work = { left: budget }) => {
    const text = wellFormed(subject);
    if (!holdsLiterals(literals, text)) return { text: subject, limited: false };
    const next = native !== null ? nativeSearch(native, text, work) : boundedSearch(text, work, terms);
    const fill = (span: Span): string =>
      fillTemplate(parts, subject.slice(span.start, span.end), restore(subject, text, span));
    const redacted = replaceAll(subject, next, fill, subject.length + room);
    return { text: redacted ?? template, limited: redacted === undefined };
  };
}

/** A search that needs no engine, and keeps account all the same: a rule may have many redacts, a text many matches. */
function nativeSearch(native: Searcher, text: string, work: Work): Next {
  return (from) => {
    const span = native.next(text, from);
    work.left -= ((span?.end ?? text.length) - from) / NATIVE_UNITS + NATIVE_MATCH_WORK;
    return work.left < 0 ? undefined : span;
  };
}

/** The subject with its matches replaced; `undefined` where the search gives up or the text outgrows its bound. */
function replaceAll(
  subject: string,
  next: Next,
  replacement: (span: Span) => string,
  maxLength: number,
): string | undefined {
  let redacted = '';
  let kept = 0;
  let from = 0;
  while (from <= subject.length) {
    const span = next(from);
    if (span === undefined) return undefined;
    if (span === null) break;
    redacted += subject.slice(kept, span.start) + replacement(span);
    if (redacted.length > maxLength) return undefined;
    kept = span.end;
    from = span.end > span.start ? span.end : span.end + widthAt(subject, span.end);
  }
  redacted += subject.slice(kept);
  return redacted.length > maxLength ? undefined : redacted;
}

/** Texts of groups as the subject has them: lone surrogates for the U+FFFD that the engine saw, by first occurrence. */
function restore(subject: string, text: string, { start, groups }: Span): Span['groups'] {
  if (subject === text) return groups;
  return groups.map((group) => {
    const at = group === undefined ? -1 : text.indexOf(group, start);
    return group === undefined ? undefined : subject.slice(at, at + group.length);
  });
}
