/** Strings by code point and by UTF-16 unit. All tests for surrogates are here. */

const FIRST_HIGH = 0xd800;
const FIRST_LOW = 0xdc00;
const LAST_LOW = 0xdfff;

/** The largest code point that is one UTF-16 unit. */
const MAX_UNIT = 0xffff;

/** Whether a UTF-16 unit is the first half of a surrogate pair, or a lone surrogate of that kind. */
export const isHighSurrogate = (unit: number): boolean => unit >= FIRST_HIGH && unit < FIRST_LOW;

/** Whether a UTF-16 unit is the second half of a surrogate pair, or a lone surrogate of that kind. */
export const isLowSurrogate = (unit: number): boolean => unit >= FIRST_LOW && unit <= LAST_LOW;

/** Whether a code point or a UTF-16 unit is a surrogate. */
export const isSurrogate = (point: number): boolean => point >= FIRST_HIGH && point <= LAST_LOW;

/** UTF-16 units of the character at a position: 2 for a surrogate pair, else 1, a lone surrogate too. */
export const widthAt = (text: string, at: number): 1 | 2 => ((text.codePointAt(at) ?? 0) > MAX_UNIT ? 2 : 1);

/** Whether a position lies between the two halves of a surrogate pair. */
export const splitsPair = (text: string, at: number): boolean => at > 0 && widthAt(text, at - 1) === 2;

/** Code points in a string; a lone surrogate is one. */
export function codePointLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += widthAt(text, at)) length++;
  return length;
}

/** Bytes of a string as UTF-8; a lone surrogate takes two, less than its replacement character. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // A surrogate pair has four bytes in its two units, so two for each of them.
    if (unit > 0x7f) length += unit > 0x7ff && !isSurrogate(unit) ? 2 : 1;
  }
  return length;
}

/**
 * Orders two strings by code point, which is the order of their UTF-8 bytes. JavaScript's `<` orders
 * by UTF-16 unit and differs where astral characters meet U+E000..U+FFFF.
 *
 * @returns Negative, zero or positive, as `Array.prototype.sort` expects.
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  let at = 0;
  while (at < shared && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === shared) return a.length - b.length;
  // They may have parted in the middle of a surrogate pair: compare the whole characters.
  if (splitsPair(a, at) || splitsPair(b, at)) at--;
  return (a.codePointAt(at) as number) - (b.codePointAt(at) as number);
}
