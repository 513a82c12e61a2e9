/** Texts that repeat what a caller sent, cut to a length that people read. */

/** Most UTF-16 units of a message, a pointer or a name in an answer. */
export const MOST_TEXT = 500;

/** The text itself, or its beginning and an ellipsis; at most {@link MOST_TEXT} units, and no half of a character. */
export const shortened = (text: string): string =>
  text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** The items of a list that an answer has room for. */
export interface Fitting<Item> {
  readonly items: readonly Item[];
  /** Items that the answer leaves out. */
  readonly leftOut: number;
}

/** The first items of a list whose JSON has at most a number of UTF-16 units together; at least one. */
export function fitting<Item extends object>(
  all: readonly Item[],
  { items: mostItems, units: mostUnits }: { readonly items: number; readonly units: number },
): Fitting<Item> {
  let units = 0;
  const end = all.slice(0, mostItems).findIndex((item, i) => {
    units += JSON.stringify(item).length;
    return units > mostUnits && i > 0;
  });
  const items = all.slice(0, end < 0 ? mostItems : end);
  return { items, leftOut: all.length - items.length };
}
