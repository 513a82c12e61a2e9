/** Searching for a text in a subject, in time that is linear in both. */

/** Units of a text left to the runtime, which takes so many steps for each unit of a subject at worst. */
const SHORT = 16;

/**
 * The first index of a text in a subject, at `from` or later; -1 where it does not occur. The same answer as that of
 * `String.prototype.indexOf`, which may take the product of both lengths.
 */
export function indexOfText(subject: string, text: string, from = 0): number {
  if (text.length <= SHORT || subject.length - from < text.length) return subject.indexOf(text, from);
  const head = text.slice(0, SHORT);
  let patience = subject.length - from;
  for (let at = subject.indexOf(head, from); at >= 0; at = subject.indexOf(head, at + 1)) {
    if (subject.startsWith(text, at)) return at;
    patience -= text.length; // the most that this comparison may have taken
    if (patience < 0) return indexByBorders(subject, text, at + 1);
  }
  return -1;
}

/** The search of Knuth, Morris and Pratt: no unit of the subject is read twice. */
function indexByBorders(subject: string, text: string, from: number): number {
  const borders = bordersOf(text);
  let matched = 0;
  for (let at = from; at < subject.length; at++) {
    matched = extended(text, borders, matched, subject.charCodeAt(at));
    if (matched === text.length) return at + 1 - matched;
  }
  return -1;
}

/** For each prefix of a text, the length of its border: the longest shorter prefix that it ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length + 1);
  for (let end = 1; end < text.length; end++) {
    borders[end + 1] = extended(text, borders, borders[end] as number, text.charCodeAt(end));
  }
  return borders;
}

/** Units of the text that are matched after one more unit. */
function extended(text: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && text.charCodeAt(length) !== unit) length = borders[length] as number;
  return text.charCodeAt(length) === unit ? length + 1 : 0;
}
