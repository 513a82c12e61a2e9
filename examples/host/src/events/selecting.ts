/** Selects events for other modules: those that match a filter, oldest first, a bounded number of rows at a time. */
import { stringifyJson } from 'headgate';
import type { Database } from '../db/index.js';
import { DIRECTIONS } from './direction.js';
import { type IdRange, queryOf, rangeOf } from './filter.js';
import { findEvents } from './finding.js';
import type { EventFilter } from './routes.js';
import type { RunSearch } from './search.js';

/** A request for the next events. */
export interface Selection {
  readonly project: string;
  readonly filter: EventFilter;
  /** A match tree; without it, every event that matches the filter is selected. */
  readonly match?: unknown;
  /** The cursor that the last selection returned; empty at first. */
  readonly cursor: string;
  /** Most ids. */
  readonly most: number;
}

/** The next events of a selection. */
export interface Selected {
  /** Oldest first. */
  readonly ids: readonly string[];
  /** Events that were looked at. */
  readonly scanned: number;
  /** The cursor for the next selection: a text that sorts between ids. Null if no events are left. */
  readonly next: string | null;
}

/** @throws Problem (as a rejection) `invalid_rule` for a match tree that is not valid. */
export type Select = (selection: Selection, signal: AbortSignal) => Promise<Selected>;

/** Dependencies of {@link createSelect}. */
export interface SelectParts {
  readonly db: Pick<Database, 'all' | 'get'>;
  readonly search: RunSearch;
  /** Rows of an index that one selection looks at. */
  readonly maxScanned: number;
}

/** Undecided events are selected by filters that need no facts; they are not looked for. */
export function createSelect({ db, search, maxScanned }: SelectParts): Select {
  const { beyond } = DIRECTIONS.oldest;
  return async ({ project, filter, match, cursor, most }, signal) => {
    const range = behind(rangeOf(filter), cursor);
    const asked = { ...queryOf(filter), undecided: null, project, range, most, maxScanned };
    const request = { ...asked, first: 'oldest' as const };
    if (match === undefined) {
      const { ids, bound } = await findEvents(db, request);
      const last = ids.length === most ? ids.at(-1) : undefined;
      return { ids, scanned: ids.length, next: last === undefined ? bound : beyond(last) };
    }
    const { ids, scanned, bound } = await search({ ...request, match: stringifyJson(match) }, signal);
    return { ids, scanned, next: bound };
  };
}

const behind = ({ low, high }: IdRange, cursor: string): IdRange => ({
  low: low > cursor ? low : cursor,
  high,
});
