/** Deliveries: listed, shown, redelivered. */
import { shownState } from '../stored/delivery-states.js';
import type { ReplayOptions } from 'headgate/delivery';
import type { z } from 'zod';
import { madeBefore, namedRequest } from '../api/idempotency.js';
import { idempotencyScope, isHiddenDelivery } from '../api/portal.js';
import type { Principal } from '../api/principal.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso, isoOrNull } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries, Transaction, Value } from '../db/index.js';
import { cursorAfter, sortKeyOf } from '../http/cursor.js';
import { newId } from '../ids.js';
import { notFound, Problem } from '../errors/problem.js';
import { SELECT_ACTION } from './bulk/statements.js';
import {
  type AttemptView,
  type DeliveryView,
  getDelivery,
  listDeliveries,
  listEventAttempts,
  retryDelivery,
} from './routes.js';
import { replayIdOf, redeliver, withFreshLetters } from './redeliver.js';
import {
  type AttemptRow,
  type DeliveryPageShape,
  type DeliveryRow,
  type EventAttemptRow,
  lastScanned,
  SELECT_ATTEMPTS,
  SELECT_DELIVERIES_OF_EVENT,
  SELECT_DELIVERY,
  SELECT_EVENT_ATTEMPTS,
  SELECT_EVENT_OF_PROJECT,
  SELECT_PROJECT_OF_DELIVERIES,
  SELECT_TOPICS,
  selectDeliveryPage,
  whereAttempted,
} from './statements.js';

/** Dependencies of the routes of deliveries. */
export interface DeliveryParts {
  readonly db: Database;
  readonly now: () => number;
  /** There are new deliveries. */
  readonly wake: () => void;
}

/** Above every instant that is stored. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

export function deliveryRoutes({ db, now, wake }: DeliveryParts): readonly BoundRoute[] {
  const retry = async (project: string, id: string, principal: Principal, headers: Headers) => {
    const { actor } = principal;
    const request = namedRequest(headers, idempotencyScope(principal, `retryDelivery:${project}`), { id });
    const row = await withFreshLetters(() =>
      db.transaction(async (tx) => {
        const at = now();
        const replay = newId(at);
        const before = await madeBefore(tx, request, replay, at);
        const found = await tx.get<DeliveryRow>(SELECT_DELIVERY, [id, project]);
        if (found === undefined || isHiddenDelivery(principal, found)) throw notFound('delivery');
        if (before !== null) return (await madeOf(tx, found, before)) ?? found;
        const row = found.dead === 1 ? await resend(tx, found, { at, replay }) : await hasten(tx, found, at);
        const [resource, after] = [`delivery:${id}`, { id: row.id }];
        await writeAudit(tx, at, { project, actor, action: 'delivery.retried', resource, after });
        return row;
      }),
    );
    wake();
    return row;
  };
  return [
    bind(listDeliveries, async ({ params, query, principal }) => {
      const { rows, bound } = await readPage(db, params.project, query);
      const page = rows.slice(0, query.limit);
      const last = rows.length > query.limit ? (page.at(-1) ?? null) : bound;
      return {
        items: await shown(
          db,
          page.filter((row) => !isHiddenDelivery(principal, row)),
        ),
        next: last === null ? null : cursorAfter([last.created_at, last.number]),
        scanned_to: last === null ? null : iso(last.created_at),
      };
    }),
    bind(listEventAttempts, async ({ params: { project, event }, query: { limit, cursor } }) => {
      if ((await db.get(SELECT_EVENT_OF_PROJECT, [event, project])) === undefined) throw notFound('event');
      const [delivery, number] = cursor === undefined ? ['', 0] : sortKeyOf(cursor, ['string', 'number']);
      // A cursor may name any delivery: no page begins before those of the event.
      const from = [`${event}:`, delivery as string].sort().at(-1) as string;
      const values = [from, `${event};`, number as number, limit + 1];
      const rows = await db.all<EventAttemptRow>(SELECT_EVENT_ATTEMPTS, values);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        items: page.map((row) => ({ delivery_id: row.delivery_id, ...shownAttempt(row) })),
        next: rows.length > limit && last !== undefined ? cursorAfter([last.delivery_id, last.number]) : null,
      };
    }),
    bind(getDelivery, async ({ params, principal }) => {
      const row = await db.get<DeliveryRow>(SELECT_DELIVERY, [params.delivery, params.project]);
      if (row === undefined || isHiddenDelivery(principal, row)) throw notFound('delivery');
      const attempts = await db.all<AttemptRow>(SELECT_ATTEMPTS, [row.number]);
      return { ...(await shownOne(db, row)), history: attempts.map(shownAttempt) };
    }),
    bind(retryDelivery, async ({ params, principal, headers }) =>
      shownOne(db, await retry(params.project, params.delivery, principal, headers)),
    ),
  ];
}

/** The delivery that a retry has made; one that was only made due has none. */
const madeOf = (tx: Transaction, row: DeliveryRow, replay: string): Promise<DeliveryRow | undefined> =>
  tx.get<DeliveryRow>(SELECT_DELIVERY, [replayIdOf(row, replay), row.project_id]);

async function resend(tx: Transaction, letter: DeliveryRow, options: ReplayOptions): Promise<DeliveryRow> {
  const [sent] = await redeliver(tx, [letter], options, null);
  if (sent === undefined) throw notAgain(letter);
  return sent;
}

async function hasten(tx: Transaction, row: DeliveryRow, at: number): Promise<DeliveryRow> {
  if (row.finished_at !== null) throw notAgain(row);
  await tx.deliveries.makeDue({ ids: [row.id] }, at);
  return row.due_at === null ? row : { ...row, due_at: Math.min(row.due_at, at) };
}

type Query = z.output<(typeof listDeliveries)['query']>;

/** The rows of a page, and the row at which its reading stopped. */
interface FoundPage {
  /** One more than the page has, where another page follows. */
  readonly rows: readonly DeliveryRow[];
  /** The row at which the page has stopped looking; null if it has not. */
  readonly bound: Pick<DeliveryRow, 'created_at' | 'number'> | null;
}

/** Deliveries that a page with conditions on the last attempt looks at. */
const MOST_SCANNED = 5_000;

async function readPage(db: Database, project: string, query: Query): Promise<FoundPage> {
  const { failure = null, status_from: from = null, status_to: to = null, limit } = query;
  if (failure === null && from === null && to === null) {
    const page = await pageFor(db, project, query, limit + 1);
    return { rows: page === null ? [] : await db.all(page.sql, page.values), bound: null };
  }
  const page = await pageFor(db, project, query, MOST_SCANNED);
  if (page === null) return { rows: [], bound: null };
  const { sql, values } = page;
  const next = values.length + 1;
  const bound = await db.get<DeliveryRow>(lastScanned(sql, next), [...values, MOST_SCANNED - 1]);
  const rows = await db.all<DeliveryRow>(whereAttempted(sql, next), [
    ...values,
    failure,
    from,
    to,
    limit + 1,
  ]);
  return { rows, bound: bound ?? null };
}

/** A statement with its values. */
interface Page {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** The page without conditions on attempts, `most` rows long; null if there can be none. */
async function pageFor(db: Database, project: string, query: Query, most: number): Promise<Page | null> {
  const { event, endpoint, redelivery, state, origin, from = 0, to = END_OF_TIME, cursor } = query;
  const [createdAt, number] = cursor === undefined ? [to, 0] : sortKeyOf(cursor, ['number', 'number']);
  const common = [most, createdAt as number, number as number, from, project];
  if (event !== undefined) {
    const others = [state ?? '', origin ?? '', endpoint ?? '', redelivery ?? ''];
    return { sql: SELECT_DELIVERIES_OF_EVENT, values: [event, ...common, ...others] };
  }
  const page = (by: DeliveryPageShape['by'], ...values: readonly string[]): Page => {
    const sql = selectDeliveryPage({ by, state: state ?? null, origin: origin ?? null });
    const [first = project, ...others] = values;
    return { sql, values: by === 'project' ? [first, ...common.slice(0, 4)] : [first, ...common, ...others] };
  };
  if (redelivery !== undefined) {
    // The indexes below do not begin with the project: nobody makes the service read another's rows.
    const known = await db.get(SELECT_ACTION, [redelivery, project]);
    if (known === undefined || origin === 'live') return null;
    return endpoint === undefined
      ? page('redelivery', redelivery)
      : page('redelivery_to_endpoint', redelivery, endpoint);
  }
  if (endpoint === undefined) return page('project');
  const owner = await db.get<{ project_id: string | null }>(SELECT_PROJECT_OF_DELIVERIES, [
    endpoint,
    project,
  ]);
  return owner?.project_id === project ? page('endpoint', endpoint) : null;
}

const notAgain = ({ state }: DeliveryRow): Problem =>
  new Problem(
    'conflict',
    state === 'delivered'
      ? 'it was delivered: replay its event to send it once more'
      : 'it was redelivered or discarded before: replay its event to send it once more',
  );

/** Deliveries of one project as the API shows them, with the topics of their events. */
export async function shown(
  queries: Pick<Queries, 'all'>,
  rows: readonly DeliveryRow[],
): Promise<DeliveryView[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const ids = JSON.stringify([...new Set(rows.map(({ event_id: id }) => id))]);
  const found = await queries.all<{ id: string; topic: string }>(SELECT_TOPICS, [first.project_id, ids]);
  const topics = new Map(found.map(({ id, topic }) => [id, topic]));
  return rows.map((row) => view(row, topics.get(row.event_id) ?? row.event_type));
}

async function shownOne(queries: Pick<Queries, 'all'>, row: DeliveryRow): Promise<DeliveryView> {
  const [one] = await shown(queries, [row]);
  return one as DeliveryView;
}

const view = (row: DeliveryRow, topic: string): DeliveryView => ({
  id: row.id,
  event_id: row.event_id,
  event_type: row.event_type,
  topic,
  endpoint_id: row.endpoint_id,
  origin: row.origin,
  state: shownState(row.state),
  attempts: row.attempts,
  next_attempt_at: isoOrNull(row.due_at),
  failure: row.failure as DeliveryView['failure'],
  status_code: row.status_code,
  is_dead_letter: row.dead === 1,
  redelivery_id: row.redelivery_id,
  order: orderOf(row),
  created_at: iso(row.created_at),
  finished_at: isoOrNull(row.finished_at),
});

function orderOf({ ordering_key: key, state, holds }: DeliveryRow): DeliveryView['order'] {
  if (key === null) return null;
  return { key: key.replaceAll('\\\\', '\\'), is_waiting: state === 'waiting', is_holding: holds === 1 };
}

export const shownAttempt = (row: AttemptRow): AttemptView => ({
  number: row.number,
  url: row.url,
  started_at: iso(row.started_at),
  ended_at: iso(row.ended_at),
  duration_ms: Math.max(row.ended_at - row.started_at, 0),
  ok: row.ok === 1,
  failure: row.failure as AttemptView['failure'],
  status_code: row.status_code,
  detail: row.detail,
});
