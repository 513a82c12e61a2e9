/** State that is in the address, so that it can be sent to a colleague, and Back leads to what was there. */
import { useLocation } from 'preact-iso/router';
import { useCallback } from 'preact/hooks';

/** The members of a query by name; an empty text is the same as none. */
export type Query = Readonly<Record<string, string>>;

/** The query of an address, and how to change it. */
export interface Address {
  readonly query: Query;
  /** All of the query as text, without the question mark. */
  readonly search: string;
  /** Changes members of it; an empty text takes one away. It makes an entry in the history unless told not to. */
  readonly set: (members: Query, options?: { readonly replace?: boolean }) => void;
  /** Replaces the query. */
  readonly go: (search: string) => void;
}

/** The text of a query, its names in order, so that equal ones are equal texts. */
export const searchOf = (query: Query): string =>
  new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ).toString();

const joined = (path: string, search: string): string => (search === '' ? path : `${path}?${search}`);

export function useAddress(): Address {
  const { query, path, route } = useLocation();
  const search = searchOf(query);
  const go = useCallback((next: string) => route(joined(path, next)), [path, route]);
  const set = useCallback<Address['set']>(
    (members, { replace = false } = {}) => {
      const now = Object.fromEntries(new URLSearchParams(location.search));
      route(joined(path, searchOf({ ...now, ...members })), replace);
    },
    [path, route],
  );
  return { query, search, set, go };
}
