/** Patterns written as JavaScript literals, between slashes. Some paths of URLs look alike; those do not count. */

/** The text between the slashes, and the flags behind them. */
const LITERAL = /^\/((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/([a-z]{0,4})$/;

/** UTF-16 units above which a text is not looked at; patterns are shorter. */
const MAX_LITERAL = 500;

/** Flags that are not likely names of folders, unlike `img`, `my`, `s` or `g`. */
const TELLING_FLAGS = words('i gi ig gim gmi igm gis gsi giu');

/** Flags that count only after a text that looks like a pattern. */
const FLAGS = words('g m s u y gm mg gs sg gu ug im mi is si iu gms gmu gsu ims imu gimu gims gimsu');

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** An anchor beside a slash, or a slash that is escaped without need: signs of a literal. */
const EDGE = /^\^|^\\b|\\b$|^(?:[^\\]|\\.)*?(?:\\\/|\$$)/;

/** Characters that patterns use, and paths of URLs seldom. */
const SYNTAX = /[\\^*+?()[\]{}|]/;

/** Syntax that patterns use, and texts never. */
const NO_TEXT = /\\[dDwWsSbB./()[\]{}+*?|^$-]|\.[*+]|\(\?|\[\^?(?:a-[zf]|A-[ZF]|0-9)|[)\]][*+?{]/;

/** Whether a pattern looks like a literal, so that it looks for the slashes. */
export const isLiteralPattern = (source: string): boolean =>
  isLiteral(source, (body, flags) => EDGE.test(body) || (flags !== '' && SYNTAX.test(body)));

/** Whether a text that is compared as it stands looks like the literal of a pattern. */
export const isLiteralText = (text: string): boolean =>
  isLiteral(text, (body) => EDGE.test(body) || NO_TEXT.test(body));

function isLiteral(text: string, isPattern: (body: string, flags: string) => boolean): boolean {
  const [, body, flags] = (text.length > MAX_LITERAL ? null : LITERAL.exec(text)) ?? [];
  if (body === undefined || flags === undefined) return false;
  if (TELLING_FLAGS.has(flags)) return true;
  return (flags === '' || FLAGS.has(flags)) && isPattern(body, flags);
}
