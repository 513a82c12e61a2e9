/** A search that goes on, part by part, until it has found enough, is at the end, or its time is up. */
import type { LongRun } from '../api/long-answer.js';
import type { SearchedPage } from './routes.js';

/** Searches one part: from a cursor on, or from the newest event. */
export type SearchPart = (cursor: string | undefined, most: number) => Promise<SearchedPage>;

/** The part where a search begins, and its bounds. */
export interface LongSearch {
  readonly cursor: string | undefined;
  /** Most events. */
  readonly limit: number;
  /** Whether its time is up. */
  readonly isOver: () => boolean;
}

/**
 * Searches part by part. Each page that is reported has what was found since the one before; what a slow caller does
 * not take is in the next one.
 *
 * @returns The last page.
 */
export async function searchOn(
  part: SearchPart,
  { cursor, limit, isOver }: LongSearch,
  { signal, progress }: LongRun<SearchedPage>,
): Promise<SearchedPage> {
  let page = await part(cursor, limit);
  let left = limit - page.items.length;
  while (page.next !== null && left > 0 && !isOver()) {
    const wasSent = progress?.(page) === true;
    signal.throwIfAborted();
    const next = await part(page.next, left);
    left -= next.items.length;
    page = wasSent ? next : joined(page, next);
  }
  return page;
}

const joined = (page: SearchedPage, next: SearchedPage): SearchedPage => ({
  ...next,
  items: [...page.items, ...next.items],
  tail_position: page.tail_position,
  scanned: page.scanned + next.scanned,
});
