/** Replacement templates, in the syntax of `String.prototype.replace`. */
import type { PatternMatch } from './port.js';

/** A text, or the number of a group; 0 is the whole match. */
export type TemplatePart = string | number;

/** Group numbers by name. */
export type GroupNames = ReadonlyMap<string, number>;

const WITHOUT_NAMES = /\$(?:(\$)|(&)|([0-9]{1,2}))/g;
/** Only with a pattern that has named groups, `$<name>` is a group; it is empty for a name that the pattern lacks. */
const WITH_NAMES = /\$(?:(\$)|(&)|([0-9]{1,2})|<([^>]*)>)/g;

/**
 * Parses a template: `$$`, `$&`, `$1` to `$99` and `$<name>` mean what they mean in JavaScript. `` $` `` and `$'`, the
 * text before and after a match, are plain text, since a redaction must not put back what it hides.
 */
export function parseTemplate(template: string, groups: number, names: GroupNames): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const found of template.matchAll(names.size > 0 ? WITH_NAMES : WITHOUT_NAMES)) {
    const [text, dollar, whole, digits, name] = found;
    const meaning =
      dollar ??
      (whole === undefined ? undefined : 0) ??
      number(digits, groups) ??
      (name === undefined ? undefined : (names.get(name) ?? ''));
    if (meaning === undefined) continue;
    parts.push(template.slice(at, found.index), ...(typeof meaning === 'object' ? meaning : [meaning]));
    at = found.index + text.length;
  }
  parts.push(template.slice(at));
  return parts.filter((part) => part !== '');
}

/** Two digits are a group if there are that many; otherwise the first is one and the second is text. */
function number(digits: string | undefined, groups: number): number | readonly TemplatePart[] | undefined {
  if (digits === undefined) return undefined;
  const group = Number(digits);
  if (group >= 1 && group <= groups) return group;
  const first = Number(digits[0]);
  if (digits.length === 2 && group > groups && first >= 1 && first <= groups) {
    return [first, digits[1] as string];
  }
  return undefined;
}

/** Whether a template contains the text of a capturing group. */
export function usesGroups(parts: readonly TemplatePart[]): boolean {
  return parts.some((part) => typeof part === 'number' && part > 0);
}

/** The length of the filled template in UTF-16 units, computed without building it. */
export function filledLength(
  parts: readonly TemplatePart[],
  matchLength: number,
  groups: PatternMatch['groups'],
): number {
  let length = 0;
  for (const part of parts) {
    if (typeof part === 'string') length += part.length;
    else length += part === 0 ? matchLength : (groups[part - 1]?.length ?? 0);
  }
  return length;
}

/** Fills a template; a group that took no part is empty. */
export function fillTemplate(
  parts: readonly TemplatePart[],
  match: string,
  groups: PatternMatch['groups'],
): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else text += part === 0 ? match : (groups[part - 1] ?? '');
  }
  return text;
}
