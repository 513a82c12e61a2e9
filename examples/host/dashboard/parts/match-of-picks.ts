/** Conditions that are picked in an event, and the match tree that they make. Pure. */
import { type Match, stringifyJson } from 'headgate/slim';

/** A path that was picked, with the value that the event has there. */
export interface Pick {
  /** As rules write it, such as `data.body.kind`. */
  readonly path: string;
  readonly value: unknown;
  /** The JSON of a value that is compared in any case: a number has all digits that were sent. */
  readonly written?: string;
}

/** A condition on one path. */
type Leaf =
  | { readonly path: string; readonly op: 'eq'; readonly value: string | number | boolean | null }
  | { readonly path: string; readonly op: 'exists' };

/** Longer texts are seldom meant letter by letter. */
const LONGEST = 200;

/** A simple value is compared; what is large is asked for, as are integers of which a browser has lost digits. */
export function leafOf({ path, value }: Pick): Leaf {
  const isSimple =
    value === null ||
    (typeof value === 'number' && !(Number.isInteger(value) && !Number.isSafeInteger(value))) ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && value.length <= LONGEST);
  return isSimple ? { path, op: 'eq', value } : { path, op: 'exists' };
}

/** @returns Null if nothing is picked. */
export function matchOf(picks: readonly Pick[]): Match | null {
  const [first, ...others] = picks.map(leafOf);
  if (first === undefined) return null;
  return others.length === 0 ? first : { all: [first, ...others] };
}

/** Adds a path, or removes it if it was picked. */
export const toggled = (picks: readonly Pick[], pick: Pick): readonly Pick[] =>
  picks.some(({ path }) => path === pick.path)
    ? picks.filter(({ path }) => path !== pick.path)
    : [...picks, pick];

/** The JSON of the match, with numbers as they were written. */
function textOfPicks(picks: readonly Pick[]): string {
  const leaves = picks.map((pick) => {
    const { path, written } = pick;
    if (written === undefined) return stringifyJson(leafOf(pick));
    return `{"path":${JSON.stringify(path)},"op":"eq","value":${written}}`;
  });
  return leaves.length === 1 ? (leaves[0] ?? '') : `{"all":[${leaves.join(',')}]}`;
}

/** The address of a new rule, with the match as it was picked. */
export const newRuleHref = (picks: readonly Pick[], event: string): string => {
  const query = new URLSearchParams({ ...(picks.length > 0 && { match: textOfPicks(picks) }), event });
  return `/dashboard/rules/new?${query.toString()}`;
};

/** The address of the events that have the values which were picked. */
export const searchHref = (picks: readonly Pick[]): string =>
  `/dashboard/events?${new URLSearchParams({ match: textOfPicks(picks) }).toString()}`;
