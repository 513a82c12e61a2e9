/** Cursors of lists: where a page ended, as an opaque text. */
import { Problem } from '../errors/problem.js';

/** The values of the last row by which the list is sorted. */
export type Place = readonly (string | number)[];

/** A cursor for the page after this place. */
export const cursorAfter = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url');

/**
 * Reads a cursor.
 *
 * @param kinds - The type of each value of the place.
 * @throws Problem `invalid_cursor` for one that the list did not give.
 */
export function placeOf(cursor: string, kinds: readonly ('string' | 'number')[]): Place {
  const place = parse(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(place) || place.length !== kinds.length) throw invalidCursor();
  const isRight = (value: unknown, kind: string): boolean =>
    typeof value === kind &&
    (typeof value === 'string' ? !value.includes('\0') : Number.isSafeInteger(value));
  if (!kinds.every((kind, i) => isRight(place[i], kind))) throw invalidCursor();
  return place as Place;
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
