/** The search for a text in a subject, in time linear in both. */

/**
 * The longest text, in UTF-16 units, that the runtime searches: at worst it takes that many steps for each unit of a
 * subject.
 */
const MAX_NATIVE_UNITS = 16;

/**
 * The first index of a text in a subject, at `from` or later; -1 if it does not occur. Returns what
 * `String.prototype.indexOf` returns, which may take time proportional to the product of both lengths.
 */
export function indexOfText(subject: string, text: string, from = 0): number {
  if (text.length <= MAX_NATIVE_UNITS || subject.length - from < text.length) {
    return subject.indexOf(text, from);
  }
  const head = text.slice(0, MAX_NATIVE_UNITS);
  let comparisonsLeft = subject.length - from;
  for (let at = subject.indexOf(head, from); at >= 0; at = subject.indexOf(head, at + 1)) {
    if (subject.startsWith(text, at)) return at;
    comparisonsLeft -= text.length; // the most units that startsWith may have compared
    if (comparisonsLeft < 0) return indexByBorders(subject, text, at + 1);
  }
  return -1;
}

/** The algorithm of Knuth, Morris and Pratt, which reads each unit of the subject once. */
function indexByBorders(subject: string, text: string, from: number): number {
  const borders = bordersOf(text);
  let matched = 0;
  for (let at = from; at < subject.length; at++) {
    matched = extended(text, borders, matched, subject.charCodeAt(at));
    if (matched === text.length) return at + 1 - matched;
  }
  return -1;
}

/** For each prefix of a text, the length of its border: the longest shorter prefix that is also its suffix. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length + 1);
  for (let end = 1; end < text.length; end++) {
    borders[end + 1] = extended(text, borders, borders[end] as number, text.charCodeAt(end));
  }
  return borders;
}

/** How many units of the text are matched after one more unit of the subject. */
function extended(text: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && text.charCodeAt(length) !== unit) length = borders[length] as number;
  return text.charCodeAt(length) === unit ? length + 1 : 0;
}
