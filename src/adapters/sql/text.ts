/**
 * Ids in text columns. They may be any JavaScript string, but Postgres holds no NUL, SQLite's clients cut at one, and UTF-8
 * has no lone surrogates: those, and the backslash that marks them, are written as escapes. Whatever else there is stays
 * as it is, readable in the tables.
 */

const UNSTORABLE = /[\0\\\ud800-\udfff]/gu; // with `u`, of surrogates only lone ones
const ESCAPED = /\\(\\|u[0-9a-f]{4})/g;

/** What a text column holds for `text`; two texts never share it. */
export const storable = (text: string): string =>
  text.replace(UNSTORABLE, (unit) =>
    unit === '\\' ? '\\\\' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The text that a column's value stands for. */
export const restored = (stored: string): string =>
  stored.replace(ESCAPED, (_, what: string) =>
    what === '\\' ? '\\' : String.fromCharCode(parseInt(what.slice(1), 16)),
  );

/** The next text in the order of the tables, which hold no NUL. */
export const successor = (stored: string): string => `${stored}\u0001`;
