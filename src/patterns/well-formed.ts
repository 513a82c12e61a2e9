/** Text as RE2 sees it. */

const loneSurrogate = /\p{Surrogate}/u;

/** The text with U+FFFD for each lone surrogate, so that every engine sees one character; indexes stay the same. */
export function wellFormed(text: string): string {
  return loneSurrogate.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}
