/** Text that cannot steer a terminal. */

/** Controls, formats (bidirectional overrides among them), separators of lines, and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const unitEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Writes what could move the cursor, hide text or turn it around as JSON would. In the text of JSON, such characters
 * stand only in strings, so that it means the same afterwards.
 */
export const escapeControls = (text: string): string =>
  text.replace(UNSAFE, (char) => SHORT[char] ?? char.split('').map(unitEscape).join(''));

/** The first characters of a text, with an ellipsis where it has more. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const points = Array.from(text.slice(0, 2 * length + 2));
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}

/** `1 rule`, `1,204 rules`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** `1,204`. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** `3 s`, `12 min`, `5 h`, `8 d`. */
export function showDuration(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)} h`
    : `${grouped(Math.round(seconds / 86_400))} d`;
}
