/**
 * Posting lists: which events have a fact. A row of `event_postings` has the ids of the events that one transaction
 * decided, that were received within the same 32 ms, and that have the fact, so that many events share a row while many
 * arrive.
 *
 * A row is found by the newest of its ids. The rows of one bucket of 32 ms overlap; those of different buckets do not.
 */
import type { Row } from '../db/index.js';

/** An event with the facts by which it is found. */
export interface EventFacts {
  readonly project: string;
  readonly id: string;
  readonly facts: readonly string[];
}

/** The ids of a row. */
export interface Posting {
  readonly newest_id: string;
  /** The rest of each id, behind the bucket, with blanks between. */
  readonly event_ids: string;
}

/** `evt_` and nine of the ten digits of the time, in base 32: the last one counts 32 ms. */
export const BUCKET_LENGTH = 13;
export const BUCKET_MS = 32;
export const ID_LENGTH = 30;
/** After every character of an id. */
const LAST = '~';

const bucketOf = (id: string): string => id.slice(0, BUCKET_LENGTH);

/** The lowest id of the bucket that an id is in. */
export const startOfBucket = (id: string): string => bucketOf(id).padEnd(ID_LENGTH, '0');

/** Above all ids of the bucket that an id is in, and so above the keys of all rows that have lower ones. */
export const endOfBucket = (id: string): string => `${bucketOf(id)}${LAST}`;

/** A row of `event_postings`. */
export interface PostingRow extends Posting, Row {
  readonly project_id: string;
  readonly fact: string;
}

/** The rows of events that one transaction writes. */
export function postingRows(events: readonly EventFacts[]): readonly PostingRow[] {
  const lists = new Map<string, { project: string; fact: string; ids: string[] }>();
  for (const { project, id, facts } of events) {
    const bucket = bucketOf(id);
    for (const fact of facts) {
      const key = `${project} ${bucket} ${fact}`;
      const list = lists.get(key);
      if (list === undefined) lists.set(key, { project, fact, ids: [id] });
      else list.ids.push(id);
    }
  }
  return [...lists.values()].map(({ project, fact, ids }) => ({
    ...{ project_id: project, fact },
    ...{ newest_id: ids.reduce((a, b) => (a > b ? a : b)), event_ids: textOf(ids) },
  }));
}

/**
 * Conflict clause for facts that are added to a single event: a row that it is the newest of shows that it has the fact
 * already.
 */
export const KEEP_POSTING = '(project_id, fact, newest_id) do nothing';

/** The ids of a row. */
export function eventIdsOf({ newest_id, event_ids }: Posting): readonly string[] {
  const bucket = bucketOf(newest_id);
  return event_ids.split(' ').map((rest) => bucket + rest);
}

/** The `event_ids` of a row without some of them; empty once there are none. */
export const withoutIds = (posting: Posting, gone: ReadonlySet<string>): string =>
  textOf(eventIdsOf(posting).filter((id) => !gone.has(id)));

const textOf = (ids: readonly string[]): string => ids.map((id) => id.slice(BUCKET_LENGTH)).join(' ');

/**
 * A select that has a row if an event of the project `$1` has a fact. It reads the rows of one bucket.
 *
 * @param fact - SQL, as is `id`.
 */
export const selectHasFact = (fact: string, id: string): string =>
  `select 1 from event_postings as p where p.project_id = $1 and p.fact = ${fact}
    and p.newest_id >= ${id} and p.newest_id < substr(${id}, 1, ${BUCKET_LENGTH}) || '${LAST}'
    and p.event_ids like '%' || substr(${id}, ${BUCKET_LENGTH + 1}) || '%'`;
