/** Events: lists by any combination of conditions, one event with all that became of it, replies. */
import { jsonTextAnswer } from '../api/answers.js';
import { idBefore } from '../api/page.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso } from '../api/shapes.js';
import type { Database } from '../db/index.js';
import { cursorAfter, placeOf } from '../ground/cursor.js';
import { isEventId, timeOfEventId } from '../ground/ids.js';
import { notFound, Problem } from '../ground/problem.js';
import { queryOf, rangeOf } from './filter.js';
import { findEvents, type Search } from './finding.js';
import { itemsOf } from './items.js';
import { type EventItem, type EventPage, getEvent, listEvents, listReplies } from './routes.js';
import { type ReplyRow, SELECT_HEAD, SELECT_REPLIES } from './statements.js';
import { replyText, wholeEventText } from './whole-event.js';

/** What this room needs of others. */
export interface EventParts {
  readonly db: Database;
  /**
   * Rows of an index that a page looks at.
   * @defaultValue `2_000`
   */
  readonly maxScanned?: number;
}

const MAX_SCANNED = 2_000;

/** The room. */
export interface Events {
  readonly routes: readonly BoundRoute[];
}

export function createEvents({ db, maxScanned = MAX_SCANNED }: EventParts): Events {
  return {
    routes: [
      bind(listEvents, ({ params: { project }, query: { limit, cursor, ...filter } }) => {
        const range = rangeOf(filter, placeBefore(cursor));
        const search = { project, ...queryOf(filter), range, most: limit + 1, maxScanned };
        return listPage(db, search, filter.status);
      }),
      bind(getEvent, async ({ params }) =>
        jsonTextAnswer(await wholeEventText(db, params.project, params.event)),
      ),
      bind(listReplies, async ({ params, query: { limit, cursor } }) =>
        jsonTextAnswer(await repliesText(db, params, cursor, limit)),
      ),
    ],
  };
}

/** The id below which a page begins. */
function placeBefore(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const [before] = placeOf(cursor, ['string']) as [string];
  if (isEventId(before)) return before;
  throw new Problem('invalid_cursor', 'cursor: give the `next` of an earlier page, or leave it out');
}

async function listPage(
  db: Database,
  search: Search,
  wanted: EventItem['status'] | undefined,
): Promise<EventPage> {
  const { ids, bound } = await findEvents(db, search);
  const page = ids.slice(0, search.most - 1);
  const last = ids.length === search.most ? (page.at(-1) ?? null) : bound;
  const found = await itemsOf(db, search.project, page);
  // An event may have been decided since it was found.
  const items = found
    .map(({ item }) => item)
    .filter(({ status }) => wanted === undefined || status === wanted);
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
  const rows = await db.all<ReplyRow>(SELECT_REPLIES, [event, project, limit + 1, before]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last !== undefined ? cursorAfter([last.id]) : null;
  return `{"items":[${page.map(replyText).join(',')}],"next":${JSON.stringify(next)}}`;
}
