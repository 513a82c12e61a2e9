/** A list that is short by its nature, read to its end: the rules of a project, the deliveries of an event. */

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
export async function allPages<Item>(
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
