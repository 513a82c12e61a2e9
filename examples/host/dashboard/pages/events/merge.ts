/** Lists of events, newest first: they fall by id. Pure. */

interface Identified {
  readonly id: string;
}

/** The index that an id has, or would have, in a list that falls by id. */
function indexOf(items: readonly Identified[], id: string): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle] as Identified).id > id) low = middle + 1;
    else high = middle;
  }
  return low;
}

const has = (items: readonly Identified[], id: string): boolean => items[indexOf(items, id)]?.id === id;

/** The events that a list does not have yet. */
export const unseen = <Item extends Identified>(
  items: readonly Item[],
  some: readonly Item[],
): readonly Item[] => some.filter(({ id }) => !has(items, id));

/** The list with newer states of events that it has; the same list where it has none of them. */
export function updated<Item extends Identified>(
  items: readonly Item[],
  some: readonly Item[],
): readonly Item[] {
  const known = some.filter(({ id }) => has(items, id));
  if (known.length === 0) return items;
  const next = [...items];
  for (const item of known) next[indexOf(next, item.id)] = item;
  return next;
}

/** Both lists as one, each event once; a state of the second one counts. */
export function merged<Item extends Identified>(
  items: readonly Item[],
  some: readonly Item[],
): readonly Item[] {
  const sorted = some.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const fresh = unseen(items, sorted).filter(({ id }, index, all) => all[index - 1]?.id !== id);
  const known = updated(items, sorted);
  if (fresh.length === 0) return known;
  const [first, last] = [known[0], known.at(-1)];
  // Nearly always all of them are newer than the list, or its next page.
  if (first === undefined || (fresh.at(-1) as Item).id > first.id) return [...fresh, ...known];
  if (last !== undefined && (fresh[0] as Item).id < last.id) return [...known, ...fresh];
  return [...fresh, ...known].sort((a, b) => (a.id < b.id ? 1 : -1));
}
