/** Conditions that are picked in an event, and the match tree that they make. Pure. */

/** A place that was picked, with what the event has there. */
export interface Pick {
  /** As rules write it, such as `data.body.kind`. */
  readonly path: string;
  readonly value: unknown;
}

interface Leaf {
  readonly path: string;
  readonly op: 'eq' | 'exists';
  readonly value?: unknown;
}

export type PickedMatch = Leaf | { readonly all: readonly Leaf[] };

/** Longer texts are seldom meant letter by letter. */
const LONGEST = 200;

/** A simple value is compared; what is large is asked for. */
export const leafOf = ({ path, value }: Pick): Leaf =>
  (typeof value === 'object' && value !== null) || (typeof value === 'string' && value.length > LONGEST)
    ? { path, op: 'exists' }
    : { path, op: 'eq', value };

/** @returns Null where nothing is picked. */
export function matchOf(picks: readonly Pick[]): PickedMatch | null {
  const [first, ...others] = picks.map(leafOf);
  if (first === undefined) return null;
  return others.length === 0 ? first : { all: [first, ...others] };
}

/** Takes a place in, or out where it is in. */
export const toggled = (picks: readonly Pick[], pick: Pick): readonly Pick[] =>
  picks.some(({ path }) => path === pick.path)
    ? picks.filter(({ path }) => path !== pick.path)
    : [...picks, pick];

/** Where a new rule is written, with the match as it was picked. */
export const newRuleHref = (picks: readonly Pick[], event: string): string => {
  const match = matchOf(picks);
  const query = new URLSearchParams({ ...(match !== null && { match: JSON.stringify(match) }), event });
  return `/dashboard/rules/new?${query.toString()}`;
};
