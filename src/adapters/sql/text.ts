/**
 * Ids in text columns. An id may be any JavaScript string, but Postgres rejects NUL, SQLite's clients cut text at NUL,
 * and UTF-8 has no lone surrogates. These characters are written as escapes, and so is the backslash that begins an
 * escape. All other characters are stored as they are, readable in the tables.
 */

/** With the flag `u`, the range matches lone surrogates only. */
const UNSTORABLE = /[\0\\\ud800-\udfff]/gu;
const ESCAPE = /\\(\\|u[0-9a-f]{4})/g;

/** The value of a text column for `text`; different texts have different values. */
export const storable = (text: string): string =>
  text.replace(UNSTORABLE, (unit) =>
    unit === '\\' ? '\\\\' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The text for a value of a text column: the inverse of {@link storable}. */
export const restored = (stored: string): string =>
  stored.replace(ESCAPE, (_, code: string) =>
    code === '\\' ? '\\' : String.fromCharCode(parseInt(code.slice(1), 16)),
  );

/** The next text in the order of the tables, which have no NUL. */
export const successor = (stored: string): string => `${stored}\u0001`;
