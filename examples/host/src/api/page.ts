/** Pages of lists that are sorted by id, newest first. */
import { cursorAfter, placeOf } from '../ground/cursor.js';

/** A page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next: string | null;
}

/** Above every id, since ids are hexadecimal. */
const AFTER_ALL_IDS = 'g';

/** The id below which a page begins; every id is below that of the first page. */
export const idBefore = (cursor: string | undefined): string =>
  cursor === undefined ? AFTER_ALL_IDS : (placeOf(cursor, ['string'])[0] as string);

/**
 * A page of rows.
 *
 * @param rows - Of the page, and one more where there is another page: read `limit + 1`.
 */
export function pageOfRows<Of extends { readonly id: string }, Item>(
  rows: readonly Of[],
  limit: number,
  shown: (row: Of) => Item,
): Page<Item> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last !== undefined ? cursorAfter([last.id]) : null;
  return { items: page.map(shown), next };
}
