/** Dead letters: listed, counted, discarded. */
import { lettersFor } from '../api/portal.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries } from '../db/index.js';
import { cursorAfter, sortKeyOf } from '../http/cursor.js';
import { Problem } from '../errors/problem.js';
import { shown } from './deliveries.js';
import {
  countLetters,
  type LetterConditions,
  type LetterCursor,
  scanLetters,
  startOf,
} from './letter-scan.js';
import {
  countDeadLetters,
  discardDeadLetters,
  type LetterFilter,
  type LetterView,
  listDeadLetters,
} from './routes.js';
import { discard, withFreshLetters } from './redeliver.js';
import { COUNT_BEHIND, type DeliveryRow, SELECT_PROJECT_OF_DELIVERIES } from './statements.js';

/** Dependencies of the routes of dead letters. */
export interface DeadLetterParts {
  readonly db: Database;
  readonly now: () => number;
  /** Deliveries have become due. */
  readonly wake: () => void;
}

/** Letters that a page of the list looks at. */
const SCAN = 5_000;
const DISCARD_BATCH = 500;
const MOST_DISCARDED = 10_000;

export function deadLetterRoutes({ db, now, wake }: DeadLetterParts): readonly BoundRoute[] {
  const discardSome = (project: string, actor: string, filter: LetterFilter, start: LetterCursor) =>
    withFreshLetters(() =>
      db.transaction(async (tx) => {
        const asked = { project, filter, start, except: null };
        const { letters, next } = await scanLetters(tx, asked, DISCARD_BATCH, SCAN);
        if (letters.length > 0) {
          await discard(tx, letters);
          const after = { filter: shownFilter(filter), discarded: letters.length };
          const [action, resource] = ['dead_letters.discarded', `project:${project}`];
          await writeAudit(tx, now(), { project, actor, action, resource, after });
        }
        return { discarded: letters.length, next };
      }),
    );
  return [
    bind(listDeadLetters, async ({ params: { project }, query, principal }) => {
      const { limit, cursor, ...given } = query;
      const filter = lettersFor(principal, given);
      if (!(await isOwn(db, project, filter))) return { items: [], next: null, scanned_to: null };
      const start = cursor === undefined ? startOf(filter) : letterCursorOf(cursor);
      const { letters, next } = await scanLetters(db, { project, filter, start, except: null }, limit, SCAN);
      return {
        items: await shownLetters(db, letters),
        next: next === null ? null : cursorAfter([next.failedAt, next.id]),
        scanned_to: next === null ? null : iso(next.failedAt),
      };
    }),
    bind(countDeadLetters, async ({ params: { project }, query, principal }) => ({
      count: (await isOwn(db, project, query))
        ? await countLetters(db, project, lettersFor(principal, query))
        : 0,
    })),
    bind(discardDeadLetters, async ({ params: { project }, query: { all, ...filter }, principal }) => {
      if (all === undefined && Object.values(filter).every((value) => value === undefined)) {
        throw new Problem(
          'invalid_request',
          'give at least one condition, or all=true for every dead letter',
        );
      }
      if (!(await isOwn(db, project, filter))) return { discarded: 0, more: false };
      let [discarded, start]: [number, LetterCursor | null] = [0, startOf(filter)];
      while (start !== null && discarded < MOST_DISCARDED) {
        const step = await discardSome(project, principal.actor, filter, start);
        discarded += step.discarded;
        start = step.next;
      }
      // Letters that held their ordering keys have let the next deliveries go.
      if (discarded > 0) wake();
      return { discarded, more: start !== null };
    }),
  ];
}

/** Letters as the list shows them, with the number of deliveries that wait behind each. */
async function shownLetters(queries: Queries, letters: readonly DeliveryRow[]): Promise<LetterView[]> {
  const holding = letters.filter(({ holds }) => holds === 1);
  const rows = holding.map(({ id, endpoint_id, ordering_key }) => ({ id, endpoint_id, ordering_key }));
  const counts =
    rows.length === 0
      ? []
      : await queries.all<{ id: string; behind: number }>(COUNT_BEHIND, [JSON.stringify(rows)]);
  const behind = new Map(counts.map((row) => [row.id, row.behind]));
  const views = await shown(queries, letters);
  return views.map((view) => ({ ...view, waiting_behind: behind.get(view.id) ?? 0 }));
}

/** False if the filter names an endpoint of another project, whose letters must not even be looked at. */
export async function isOwn(queries: Queries, project: string, { endpoint }: LetterFilter): Promise<boolean> {
  if (endpoint === undefined) return true;
  const owner = await queries.get<{ project_id: string | null }>(SELECT_PROJECT_OF_DELIVERIES, [
    endpoint,
    project,
  ]);
  return owner?.project_id === project;
}

/** A filter with instants as the API writes them. */
export const shownFilter = ({
  from,
  to,
  hidesAlerts: _,
  ...others
}: LetterConditions): Record<string, string | number> =>
  JSON.parse(
    JSON.stringify({
      ...others,
      ...(from !== undefined && { from: iso(from) }),
      ...(to !== undefined && { to: iso(to) }),
    }),
  ) as Record<string, string | number>;

function letterCursorOf(cursor: string): LetterCursor {
  const [failedAt, id] = sortKeyOf(cursor, ['number', 'string']);
  return { failedAt: failedAt as number, id: id as string };
}
