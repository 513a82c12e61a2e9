/** Pages of lists that are sorted by id, newest first. */
import { cursorAfter, sortKeyOf } from '../http/cursor.js';

/** Most bytes that the stored documents of a page have together. A page has at least one item, however large. */
export const PAGE_BYTES = 2_097_152;

/** A page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next: string | null;
}

/** Above every id, since ids are hexadecimal. */
const AFTER_ALL_IDS = 'g';

/** The id below which a page begins; every id is below that of the first page. */
export const idBefore = (cursor: string | undefined): string =>
  cursor === undefined ? AFTER_ALL_IDS : (sortKeyOf(cursor, ['string'])[0] as string);

/**
 * A page of rows.
 *
 * @param rows - The rows of the page, and one more where there is another page: read `limit + 1`. `listed` says how
 * many there were before the page was cut to {@link PAGE_BYTES}.
 */
export function pageOfRows<Of extends { readonly id: string; readonly listed?: number }, Item>(
  rows: readonly Of[],
  limit: number,
  shown: (row: Of) => Item,
): Page<Item> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = last !== undefined && hasMore(rows, page.length) ? cursorAfter([last.id]) : null;
  return { items: page.map(shown), next };
}

/** Whether a list goes on behind the first rows of it. */
export const hasMore = (rows: readonly { readonly listed?: number }[], shown: number): boolean =>
  (rows[0]?.listed ?? rows.length) > shown;
