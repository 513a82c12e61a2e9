/** JavaScript's regular expressions in RE2 syntax, as far as both mean the same. */
import { refuse, type Refusal } from './part.js';

/** Pieces of a pattern that both read alike; `.*` is one, since JavaScript's `.` excludes four line ends. */
const PIECE =
  /(?<line>\.\*\??)|(?<same>\\[dw]|\\[^\w\s]|[*+?]\??|\{\d+(?:,\d*)?\}\??|\(\?:|[()|^$])|(?<class>\[(?:\\[dw.\-\]/]|[\w ]-\w|[\w .:/@,;%+=-])+\])|(?<literal>[\w \-,:;<>=!@#%&~`'"/\u00a1-\u167f])/uy;

const LINE = '[^\\n\\r\\x{2028}\\x{2029}]*';

/**
 * @param source - As in `new RegExp(source, flags)`.
 * @param flags - `i`, or empty.
 */
export function toRe2(source: string, flags: string): string | Refusal {
  if (flags !== '' && flags !== 'i') {
    return refuse(`the flags ${JSON.stringify(flags)} have no equal here; "i" has`);
  }
  try {
    new RegExp(source);
  } catch {
    return refuse('this is not a regular expression of JavaScript');
  }
  let pattern = '';
  const pieces = new RegExp(PIECE);
  while (pieces.lastIndex < source.length) {
    const at = pieces.lastIndex;
    const piece = pieceOf(pieces.exec(source)?.groups, flags === 'i');
    if (piece === null) {
      return refuse(`JavaScript and RE2 may read this pattern differently, from position ${at} on`);
    }
    pattern += piece;
  }
  return pattern;
}

/** A piece in RE2 syntax; `null` if there is none that means the same. */
function pieceOf(groups: Readonly<Record<string, string>> | undefined, ignoresCase: boolean): string | null {
  if (groups === undefined) return null;
  const { line, class: list, literal, same = '' } = groups;
  if (line !== undefined) return LINE;
  if (list !== undefined) return ignoresCase && /[a-z]/i.test(list.replace(/\\[dw]/g, '')) ? null : list;
  if (literal === undefined || !ignoresCase) return literal ?? same;
  return literal > '\x7f' ? null : inBothCases(literal);
}

/** A letter of ASCII in both cases: RE2's `(?i)` would also accept K (Kelvin) and ſ. */
const inBothCases = (literal: string): string =>
  /^[a-z]$/i.test(literal) ? `[${literal.toLowerCase()}${literal.toUpperCase()}]` : literal;
