/** Events: lists by any combination of conditions, one event with all that happened to it, replies. */
import { stringifyJson } from 'headgate';
import { jsonText } from '../api/answers.js';
import { asksForStream, streamOf } from '../api/long-answer.js';
import { conditionsFor } from '../api/portal.js';
import { hasMore, idBefore, PAGE_BYTES } from '../api/page.js';
import { refusedSlowly } from '../api/refusing.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso } from '../api/shapes.js';
import type { Database } from '../db/index.js';
import { cursorAfter, sortKeyOf } from '../http/cursor.js';
import { isEventId, timeOfEventId } from '../ids.js';
import { notFound, Problem } from '../errors/problem.js';
import { createTurns } from '../limits/turns.js';
import { seriesOf, valuesOf } from './counts.js';
import { queryOf, rangeOf } from './filter.js';
import { findEvents, type Found } from './finding.js';
import { itemFor, itemsOf } from './items.js';
import { searchOn, type SearchPart } from './long-search.js';
import {
  type EventFilter,
  type EventPage,
  eventSeries,
  getEvent,
  listEvents,
  listEventValues,
  listReplies,
  type SearchedPage,
  searchEvents,
  tailEvents,
} from './routes.js';
import type { RunSearch, SearchRequest } from './search.js';
import {
  type BatchHeadRow,
  type ReplyRow,
  SELECT_BATCH_HEADS,
  SELECT_HEAD,
  SELECT_REPLIES,
} from './statements.js';
import { Tail, type TailParts } from './tail.js';
import { replyText, wholeEventText } from './whole-event.js';

/** Dependencies of this module. */
export interface EventParts extends TailParts {
  /** Unix ms. */
  readonly now: () => number;
  /** Searches by match trees, away from the thread of the requests. */
  readonly search: RunSearch;
  /**
   * Rows of an index that a page looks at.
   * @defaultValue `2_000`
   */
  readonly maxScanned?: number;
}

export const MAX_SCANNED = 2_000;
/** A project may have two searches under way in this process; the next one is refused. */
const SEARCHES = { atOnce: Infinity, ofProject: 2, waiting: 0, allWaiting: 0, of: 'searches' };
/** A project may have this many that stream, which take turns: each part of one is a search. */
const STREAMS = { ...SEARCHES, ofProject: 4 };
/** A search that streams ends after this time, and its caller goes on with another. */
const STREAM_MS = 30_000;

/** The module. */
export interface Events {
  /** Ends the live tails. */
  stop(): void;
  readonly routes: readonly BoundRoute[];
}

export function createEvents(parts: EventParts): Events {
  const { db, now, maxScanned = MAX_SCANNED } = parts;
  const tail = new Tail(parts);
  const asked: Asked = (project, filter, cursor) => ({
    ...{ project, maxScanned },
    ...queryOf(filter),
    range: rangeOf(filter, boundOf(cursor)),
  });
  return {
    stop: () => tail.stop(),
    routes: [
      bind(listEvents, async ({ params: { project }, principal, query: { limit, cursor, ...given } }) => {
        const filter = conditionsFor(principal, given);
        const tail_position = await positionFor(db, project, cursor);
        const found = await findEvents(db, { ...asked(project, filter, cursor), most: limit + 1 });
        const page = await pageOf(db, { project, wanted: filter, limit }, found);
        return { ...page, items: page.items.map(itemFor(principal)), tail_position };
      }),
      searchRoute(parts, asked),
      bind(tailEvents, ({ params: { project }, principal, query, headers, signal }) => {
        const filter = conditionsFor(principal, query);
        return tail.open({ project, filter, shown: itemFor(principal), headers, signal });
      }),
      bind(eventSeries, ({ params: { project }, query: { period } }) => seriesOf(db, project, period, now())),
      bind(listEventValues, async ({ params: { project }, query }) => ({
        items: await valuesOf(db, project, query),
      })),
      bind(getEvent, async ({ params: { project, event }, principal, reserve }) =>
        jsonText(await wholeEventText(db, { project, id: event, principal }, reserve)),
      ),
      bind(listReplies, async ({ params, query: { limit, cursor } }) =>
        jsonText(await repliesText(db, params, cursor, limit)),
      ),
    ],
  };
}

/** The query of a page. */
type Asked = (
  project: string,
  filter: EventFilter,
  cursor: string | undefined,
) => Omit<SearchRequest, 'most' | 'match'>;

/** One part of a search, or parts until it has ended for callers that ask for a stream. */
function searchRoute({ db, now, search }: EventParts, asked: Asked): BoundRoute {
  const [searches, streams] = [createTurns(SEARCHES), createTurns(STREAMS)];
  return bind(searchEvents, async (call) => {
    const { match: tree, limit, cursor, ...filter } = call.body;
    const { project } = call.params;
    const match = stringifyJson(tree);
    const partFor =
      (signal: AbortSignal): SearchPart =>
      async (from, most) => {
        const tail_position = await positionFor(db, project, from);
        const { scanned, ...found } = await search({ ...asked(project, filter, from), match, most }, signal);
        const page = await pageOf(db, { project, wanted: filter, limit: most }, found);
        return { ...page, tail_position, scanned };
      };
    if (!asksForStream(call.headers)) {
      return refusedSlowly(() => searches.run(project, () => partFor(call.signal)(cursor, limit)));
    }
    const end = await refusedSlowly(() => streams.take(project));
    const endsAt = now() + STREAM_MS;
    const bounds = { cursor, limit, isOver: () => now() >= endsAt };
    return streamOf<SearchedPage>(
      (run) => searchOn(partFor(run.signal), bounds, run).then(JSON.stringify).finally(end),
      call,
    );
  });
}

/** The id below which a page begins. */
function boundOf(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const [before] = sortKeyOf(cursor, ['string']) as [string];
  if (isEventId(before)) return before;
  throw new Problem('invalid_cursor', 'cursor: give the `next` of an earlier page, or leave it out');
}

/** The position of the tail before a first page is read: what is decided later, the tail shows. */
async function positionFor(
  db: Database,
  project: string,
  cursor: string | undefined,
): Promise<number | null> {
  if (cursor !== undefined) return null;
  const head = await db.get<BatchHeadRow>(SELECT_BATCH_HEADS, [JSON.stringify([project])]);
  return head?.batch_position ?? 0;
}

/** The items of what was found, and where the next page begins. */
async function pageOf(
  db: Database,
  {
    project,
    wanted,
    limit,
  }: { project: string; wanted: Pick<EventFilter, 'status' | 'outcome'>; limit: number },
  { ids, bound }: Found,
): Promise<Omit<EventPage, 'tail_position'>> {
  const page = ids.slice(0, limit);
  const end = ids.length > limit ? (page.at(-1) ?? null) : bound;
  const { found, rest } = await itemsOf(db, project, page);
  const last = rest.length > 0 ? (found.at(-1)?.item.id ?? null) : end;
  // An event may have been decided or delivered since it was found.
  const items = found
    .map(({ item }) => item)
    .filter(
      ({ status, outcome }) =>
        (wanted.status ?? status) === status && (wanted.outcome ?? outcome) === outcome,
    );
  return {
    items,
    next: last === null ? null : cursorAfter([last]),
    scanned_to: last === null ? null : iso(timeOfEventId(last)),
  };
}

async function repliesText(
  db: Database,
  { project, event }: { readonly project: string; readonly event: string },
  cursor: string | undefined,
  limit: number,
): Promise<string> {
  const before = idBefore(cursor);
  const head = await db.get(SELECT_HEAD, [event, project]);
  if (head === undefined) throw notFound('event');
  const rows = await db.all<ReplyRow>(SELECT_REPLIES, [event, project, limit + 1, before, PAGE_BYTES]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = last !== undefined && hasMore(rows, page.length) ? cursorAfter([last.id]) : null;
  return `{"items":[${page.map(replyText).join(',')}],"next":${JSON.stringify(next)}}`;
}
