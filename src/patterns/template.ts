/** What a match is replaced with, as `String.prototype.replace` reads it. */
import type { PatternMatch } from './port.js';

/** Text, or the number of a group; 0 is the whole match. */
export type TemplatePart = string | number;

/** Group numbers by name. */
export type GroupNames = ReadonlyMap<string, number>;

const withoutNames = /\$(?:(\$)|(&)|([0-9]{1,2}))/g;
/** Only a pattern with named groups gives `$<` a meaning; a name that it does not have is empty. */
const withNames = /\$(?:(\$)|(&)|([0-9]{1,2})|<([^>]*)>)/g;

/**
 * Reads a template: `$$`, `$&`, `$1` to `$99` and `$<name>` mean what they mean in JavaScript. The text
 * before and after a match stays out, since a redaction must not put back what it hides.
 */
export function parseTemplate(template: string, groups: number, names: GroupNames): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const found of template.matchAll(names.size > 0 ? withNames : withoutNames)) {
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

/** Two digits name a group if there are so many; else the first one does and the second is text. */
function number(digits: string | undefined, groups: number): number | readonly TemplatePart[] | undefined {
  if (digits === undefined) return undefined;
  const group = Number(digits);
  if (group >= 1 && group <= groups) return group;
  const first = Number(digits[0]);
  if (digits.length === 2 && group > groups && first >= 1 && first <= groups)
    return [first, digits[1] as string];
  return undefined;
}

/** Whether a template puts back what a group matched. */
export function usesGroups(parts: readonly TemplatePart[]): boolean {
  return parts.some((part) => typeof part === 'number' && part > 0);
}

/** UTF-16 units of the template filled in, told before anything is built. */
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

/** The template filled in; a group that took no part is empty. */
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
