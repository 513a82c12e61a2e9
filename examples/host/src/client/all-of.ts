/** Lists, from the first page to the last. */

/** The input of a list: which page, and how many items it has. */
interface PagedInput {
  readonly query?: { readonly limit?: number | string; readonly cursor?: string | undefined };
}

/** A page; `next` is null on the last. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** The most items that a page may have. */
const LARGEST_PAGE = 200;

/**
 * Every item of a list, page by page: for scripts, and for lists that fit into memory.
 *
 * @param list - A method of the client that takes a `cursor` in its query.
 * @param input - As for the method; `limit` is the size of a page (the largest unless given), `cursor` where to begin.
 * @throws {@link ApiError} where a page is refused.
 *
 * @example
 * const failed = await allOf(api.listDeliveries, { project, query: { state: 'failed' } });
 */
export async function allOf<Input extends PagedInput, Item>(
  list: (input: Input) => Promise<Page<Item>>,
  input: NoInfer<Input>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null | undefined = input.query?.cursor; cursor !== null;) {
    const page: Page<Item> = await list({ ...input, query: { limit: LARGEST_PAGE, ...input.query, cursor } });
    items.push(...page.items);
    cursor = page.next;
  }
  return items;
}
