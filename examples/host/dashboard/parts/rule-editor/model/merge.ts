/** Two people's edits of one rule, put together member by member. */
import { stringifyJson } from 'headgate/slim';

/** The members of a rule that people write. */
export const MEMBERS = ['name', 'description', 'match', 'action', 'priority', 'enabled'] as const;
export type Member = (typeof MEMBERS)[number];

/** A rule as far as it is compared. */
export type Written = Readonly<Partial<Record<Member, unknown>>>;

/** The edit from which the value of a member is taken. */
export type Side = 'mine' | 'theirs';

/** A member that differs between the two. */
export interface Difference {
  readonly member: Member;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Whether both have changed it since the version from which I began. */
  readonly isConflict: boolean;
  /** The side that has changed it; of a conflict mine, for the person to decide. */
  readonly suggested: Side;
}

/** Compares as the wire does: the order of members does not matter. */
const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

const canonical = (value: unknown): string => (value === undefined ? '' : stringifyJson(sorted(value)));

/** A copy with all members in one order. A list of what is left to do keeps deep trees off the stack. */
function sorted(value: unknown): unknown {
  const out: { root?: unknown } = {};
  const pending: [unknown, object, string | number][] = [[value, out, 'root']];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [from, into, key] = next;
    const isObject = typeof from === 'object' && from !== null;
    const copy = !isObject ? from : Array.isArray(from) ? [] : {};
    Object.defineProperty(into, key, { value: copy, enumerable: true, configurable: true, writable: true });
    if (!isObject) continue;
    const keys = Array.isArray(from) ? from.keys() : Object.keys(from).sort();
    for (const below of keys) {
      pending.push([(from as Record<string | number, unknown>)[below], copy as object, below]);
    }
  }
  return out.root;
}

/**
 * The members that differ.
 *
 * @param base - The version from which I began.
 */
export function differences(base: Written, mine: Written, theirs: Written): Difference[] {
  return MEMBERS.filter((member) => !same(mine[member], theirs[member])).map((member) => {
    const isMine = !same(mine[member], base[member]);
    const isTheirs = !same(theirs[member], base[member]);
    return {
      member,
      mine: mine[member],
      theirs: theirs[member],
      isConflict: isMine && isTheirs,
      suggested: isMine ? 'mine' : 'theirs',
    };
  });
}

/** Their rule with the members that are to be mine. A member that the chosen side has not is left out. */
export function merged(
  theirs: Written,
  found: readonly Difference[],
  chosen: (member: Member) => Side,
): Written {
  const changes = found.map(({ member, mine }) => [
    member,
    chosen(member) === 'mine' ? mine : theirs[member],
  ]);
  const all = { ...theirs, ...(Object.fromEntries(changes) as Written) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
