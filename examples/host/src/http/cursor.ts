/** Cursors of lists: the last row of a page, as an opaque text. */
import { Problem } from '../errors/problem.js';

/** The values of the last row by which the list is sorted. */
export type SortKey = readonly (string | number)[];

/** A cursor for the page after this row. */
export const cursorAfter = (key: SortKey): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/**
 * Reads a cursor.
 *
 * @param kinds - The type of each value of the key.
 * @throws Problem `invalid_cursor` for one that the list did not give.
 */
export function sortKeyOf(cursor: string, kinds: readonly ('string' | 'number')[]): SortKey {
  const key = parse(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(key) || key.length !== kinds.length) throw invalidCursor();
  const isRight = (value: unknown, kind: string): boolean =>
    typeof value === kind &&
    (typeof value === 'string' ? !value.includes('\0') : Number.isSafeInteger(value));
  if (!kinds.every((kind, i) => isRight(key[i], kind))) throw invalidCursor();
  return key as SortKey;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const invalidCursor = (): Problem =>
  new Problem('invalid_cursor', 'cursor: give the `next` of an earlier page, or leave it out');
