/** JavaScript's regular expressions in RE2 syntax, as far as both mean the same. */
import { refuse, type Refusal } from './part.js';

/** Pieces of a pattern that both read alike; `.` is two pieces, since JavaScript's excludes four line ends. */
const PIECE =
  /(?<line>\.\*\??)|(?<same>\\[dw]|\\[^\w\s]|[*+?]\??|\{\d+(?:,\d*)?\}\??|\(\?:|[()|^$])|(?<class>\[(?:\\[dw.\-\]/]|[\w ]-\w|[\w .:/@,;%+=-])+\])|(?<literal>[\w \-,:;<>=!@#%&~`'"/\u00a1-\u167f])/uy;

const LINE = '[^\\n\\r\\x{2028}\\x{2029}]*';

/**
 * @param source - As in `new RegExp(source, flags)`.
 * @param flags - `i`, or empty.
 */
export function toRe2(source: string, flags: string): string | Refusal {
  if (flags !== '' && flags !== 'i')
    {return refuse(`the flags ${JSON.stringify(flags)} have no equal here; "i" has`);}
  try {
    new RegExp(source);
  } catch {
    return refuse('this is not a regular expression of JavaScript');
  }
  let pattern = '';
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < source.length) {
    const at = PIECE.lastIndex;
    const groups = PIECE.exec(source)?.groups;
    if (groups === undefined) {
      PIECE.lastIndex = 0;
      return refuse(`JavaScript and RE2 may read this pattern differently, from position ${at} on`);
    }
    const { line, class: list, literal = '', same = '' } = groups;
    const letters = flags === 'i' ? `${list ?? ''}${literal}` : '';
    if (/[^\0-\x7f]/.test(letters) || (list !== undefined && /[a-z]/i.test(letters.replace(/\\[dw]/g, '')))) {
      PIECE.lastIndex = 0;
      return refuse(`JavaScript and RE2 ignore the case of this pattern differently, from position ${at} on`);
    }
    pattern += line !== undefined ? LINE : (list ?? (flags === 'i' ? inBothCases(literal) : literal) + same);
  }
  return pattern;
}

/** A letter of ASCII in both cases: RE2's `(?i)` would also accept K (Kelvin) and ſ. */
const inBothCases = (literal: string): string =>
  /^[a-z]$/i.test(literal) ? `[${literal.toLowerCase()}${literal.toUpperCase()}]` : literal;
