/** The two directions in which events are read, newest or oldest first: what differs between them. Pure. */
import { boundAfter } from '../ids.js';
import { endOfBucket, startOfBucket } from '../stored/postings.js';
import type { IdRange } from './filter.js';
import type { Trouble } from './outcome.js';
import {
  SELECT_IDS,
  SELECT_OLDEST_IDS,
  SELECT_OLDEST_POSTINGS,
  SELECT_POSTINGS,
  selectTroubled,
} from './statements.js';

/** The events that come first. */
export type Direction = 'newest' | 'oldest';

/** Statements and bounds of a direction. */
interface Reading {
  /** The first events of a range. */
  readonly ids: string;
  /** The first rows of a fact in a range. */
  readonly postings: string;
  /** The first deliveries in trouble of a range. */
  readonly troubled: (trouble: Trouble) => string;
  readonly ordered: (ids: readonly string[]) => readonly string[];
  /** The bound of what was read up to an event, that one included. */
  readonly beyond: (id: string) => string;
  /** The bound of what was read up to a bucket, all of it included. */
  readonly beyondBucket: (id: string) => string;
  /** The part of a range that is left behind a bound. */
  readonly rest: (range: IdRange, bound: string) => IdRange;
}

/** The bounds are ids, or texts that sort between ids: the upper end of a range is not part of it. */
export const DIRECTIONS: Readonly<Record<Direction, Reading>> = {
  newest: {
    ids: SELECT_IDS,
    postings: SELECT_POSTINGS,
    troubled: (trouble) => selectTroubled(trouble, 'desc'),
    ordered: (ids) => [...ids].sort().reverse(),
    beyond: (id) => id,
    beyondBucket: startOfBucket,
    rest: ({ low }, bound) => ({ low, high: bound }),
  },
  oldest: {
    ids: SELECT_OLDEST_IDS,
    postings: SELECT_OLDEST_POSTINGS,
    troubled: (trouble) => selectTroubled(trouble, 'asc'),
    ordered: (ids) => [...ids].sort(),
    beyond: boundAfter,
    beyondBucket: endOfBucket,
    rest: ({ high }, bound) => ({ low: bound, high }),
  },
};
