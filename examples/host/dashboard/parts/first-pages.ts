/**
 * The first thousand of a list that is nearly always shorter, such as the deliveries of an event. `allOf` of the client
 * knows no end.
 */

const MOST_PAGES = 5;

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/**
 * Reads page after page, five at most.
 *
 * @param read - Reads the page at a cursor; without one, the first.
 * @returns The items; `isCut` where there are more.
 */
export async function firstPages<Item>(
  read: (cursor: string | undefined) => Promise<PageOf<Item>>,
): Promise<{ readonly items: readonly Item[]; readonly isCut: boolean }> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items: more, next } = await read(cursor);
    items.push(...more);
    if (next === null) return { items, isCut: false };
    cursor = next;
  }
  return { items, isCut: true };
}
