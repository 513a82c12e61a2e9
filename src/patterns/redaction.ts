/** Replacing every match of a pattern, within a budget. */
import { widthAt } from './code-points.js';
import { holdsLiterals, requiredLiterals } from './literals.js';
import { nativeSearcher } from './native.js';
import { attempt, parsePattern, readOptions, type PatternOptions } from './pattern.js';
import type { Span } from './port.js';
import { printPattern } from './print.js';
import { reachOf } from './reach.js';
import { fillTemplate, parseTemplate, usesGroups } from './template.js';
import { wellFormed } from './well-formed.js';

/** UTF-16 units that a redaction may add to its subject. */
export const MAX_GROWTH = 1 << 24;

/** What became of a subject. */
export interface Redaction {
  /** The subject with every match replaced. */
  readonly text: string;
  /** The budget was met, or the engine failed: `text` is the template as written, and nothing of the subject. */
  readonly limited: boolean;
}

/** Finds the next match, or ends: `null` without one, `undefined` where the budget ends. */
type Next = (text: string, from: number) => Span | null | undefined;

/**
 * Compiles the replacement of every match, leftmost first, as JavaScript's global replace with the `u` flag.
 *
 * @param source - RE2 syntax, at most 200 code points.
 * @param template - `$1` to `$99`, `$<name>`, `$&` and `$$` as in `String.prototype.replace`; anything else is text.
 * @returns A function of the subject. It never throws: what exceeds its bounds is replaced as a whole by the template.
 * @throws {@link PatternError} where {@link checkPattern} returns a problem.
 * @throws {@link OptionError} `invalid_option` when the budget is no positive number.
 */
export function compileRedaction(
  source: string,
  template: string,
  options: PatternOptions = {},
): (subject: string) => Redaction {
  const { tree, groups, names, cost } = parsePattern(source);
  const { engine, budget } = readOptions(options);
  const parts = parseTemplate(template, groups, names);
  const wantGroups = usesGroups(parts);
  const native = wantGroups ? null : nativeSearcher(tree);
  const literals = requiredLiterals(tree);
  const printed = printPattern(tree);
  const reach = reachOf(tree);

  /** A search that keeps account of one subject. A miss ends the replacement, so it needs no entry. */
  function search(): Next {
    if (native !== null) return native.next;
    let left = budget;
    return (text, from) => {
      if (cost * (text.length - from) > left || text.length > engine.maxSubjectLength) return undefined;
      const span = attempt(engine, printed, (program) => program.next(text, from, wantGroups));
      if (span) left -= cost * (reach(text, span.start) - from + 1);
      return span;
    };
  }

  return (subject) => {
    const text = wellFormed(subject);
    if (!holdsLiterals(literals, text)) return { text: subject, limited: false };
    const redacted = replaceAll(subject, text, search(), (span) => fillTemplate(parts, subject, span));
    return { text: redacted ?? template, limited: redacted === undefined };
  };
}

/** The subject with its matches replaced; `undefined` where the search gives up or the text outgrows its bound. */
function replaceAll(
  subject: string,
  text: string,
  next: Next,
  replacement: (span: Span) => string,
): string | undefined {
  let redacted = '';
  let kept = 0;
  let from = 0;
  while (from <= text.length) {
    const span = next(text, from);
    if (span === undefined) return undefined;
    if (span === null) break;
    redacted += subject.slice(kept, span.start) + replacement(span);
    if (redacted.length > subject.length + MAX_GROWTH) return undefined;
    kept = span.end;
    from = span.end > span.start ? span.end : span.end + widthAt(text, span.end);
  }
  return redacted + subject.slice(kept);
}
