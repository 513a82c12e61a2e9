/** Names that the forms of a rule's parts share. */

/** Why the builder cannot show something, and where that is. */
export interface Refusal {
  /** RFC 6901 pointer from the root of the rule. */
  readonly pointer: string;
  /** A sentence. */
  readonly why: string;
}

/** Whether something could not be read into a form. */
export const isRefusal = (read: object): read is Refusal => 'why' in read;

/** Something that is not filled in yet. */
export interface FormFault {
  readonly pointer: string;
  readonly message: string;
}

/** The JSON text of a part of a rule, with what keeps it from being JSON. */
export interface Printed {
  readonly text: string;
  readonly faults: readonly FormFault[];
}

/** An id that no item of a list has. */
export const freeId = (items: readonly { readonly id: number }[]): number =>
  items.reduce((most, { id }) => Math.max(most, id), -1) + 1;

/** A list with one item moved to another index. An index outside of the list leaves it as it is. */
export function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  if (from === to || items[from] === undefined || items[to] === undefined) return items;
  const others = items.filter((_, index) => index !== from);
  return [...others.slice(0, to), items[from], ...others.slice(to)];
}

/** Names of members with one more, which comes after those that it follows in the usual order. */
export function withKey<K extends string>(
  keys: readonly K[],
  key: K,
  usual: readonly string[],
): readonly K[] {
  if (keys.includes(key)) return keys;
  const earlier = usual.slice(0, usual.indexOf(key));
  const index = keys.findLastIndex((other) => earlier.includes(other)) + 1;
  return [...keys.slice(0, index), key, ...keys.slice(index)];
}
