/** Stored events of a project as rules saw them, newest first, in pages of bounded size. */
import type { Queries } from '../db/index.js';
import { type PersistedEvent, persistedOf, type PersistedRow } from '../stored/event-json.js';
import { firstEventIdAt } from '../ids.js';
import { SELECT_PAST_EVENTS, SELECT_TAGS } from './statements.js';

/** An event without its project, which all of a page share. */
export type PastEvent = Omit<PersistedEvent, 'project'>;

/** Which events to read. Times are Unix ms. */
export interface PastEvents {
  readonly project: string;
  /** Not among them. */
  readonly after: number;
  /** Among them. */
  readonly until: number;
  /** Whether `raw_payload` is read; most rules do not look at it. */
  readonly hasRawPayload: boolean;
}

const PAGE_ROWS = 200;
const PAGE_BYTES = 4 * 1_024 * 1_024;

/** Each page is a statement of its own, so that no transaction stays open while events are looked at. */
export async function* pagesOfPastEvents(
  queries: Pick<Queries, 'all'>,
  { project, after, until, hasRawPayload }: PastEvents,
): AsyncGenerator<readonly PastEvent[], void, undefined> {
  const lowest = firstEventIdAt(Math.floor(after) + 1);
  let before = firstEventIdAt(Math.floor(until) + 1);
  for (;;) {
    const values = [project, before, lowest, PAGE_ROWS, PAGE_BYTES, hasRawPayload ? 1 : 0];
    const rows = await queries.all<PersistedRow>(SELECT_PAST_EVENTS, values);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(persistedOf);
    before = last.id;
  }
}

/**
 * The tags that events of a project have; rules do not see them, since they were added when the events were decided.
 */
export async function tagsOfEvents(
  queries: Pick<Queries, 'all'>,
  project: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await queries.all<TagsRow>(SELECT_TAGS, [project, JSON.stringify(ids)]);
  return new Map(rows.map(({ id, tags }) => [id, tags === null ? [] : (JSON.parse(tags) as string[])]));
}

interface TagsRow {
  readonly id: string;
  readonly tags: string | null;
}
