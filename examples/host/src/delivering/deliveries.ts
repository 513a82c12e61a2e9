/** Deliveries: listed, shown, sent again. */
import type { ReplayOptions } from 'headgate/delivery';
import type { z } from 'zod';
import { madeBefore, namedRequest } from '../api/idempotency.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso, isoOrNull } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Transaction } from '../db/index.js';
import { cursorAfter, placeOf } from '../ground/cursor.js';
import { newId } from '../ground/ids.js';
import { notFound, Problem } from '../ground/problem.js';
import { type AttemptView, type DeliveryView, getDelivery, listDeliveries, retryDelivery } from './routes.js';
import { replayIdOf, sendAgain, withFreshLetters } from './send-again.js';
import {
  type AttemptRow,
  type DeliveryPageShape,
  type DeliveryRow,
  MAKE_DUE,
  SELECT_ATTEMPTS,
  SELECT_DELIVERIES_OF_EVENT,
  SELECT_DELIVERY,
  SELECT_PROJECT_OF_DELIVERIES,
  SELECT_REDELIVERY,
  selectDeliveryPage,
} from './statements.js';

/** What deliveries need. */
export interface DeliveryParts {
  readonly db: Database;
  readonly now: () => number;
  /** There are new deliveries. */
  readonly wake: () => void;
}

/** Above every instant that is stored. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

export function deliveryRoutes({ db, now, wake }: DeliveryParts): readonly BoundRoute[] {
  const retry = async (
    project: string,
    id: string,
    actor: string,
    headers: Headers,
  ): Promise<DeliveryRow> => {
    const request = namedRequest(headers, `retryDelivery:${project}`, { id });
    const row = await withFreshLetters(() =>
      db.transaction(async (tx) => {
        const at = now();
        const replay = newId(at);
        const before = await madeBefore(tx, request, replay, at);
        const found = await tx.get<DeliveryRow>(SELECT_DELIVERY, [id, project]);
        if (found === undefined) throw notFound('delivery');
        if (before !== null) return (await madeOf(tx, found, before)) ?? found;
        const row = found.dead === 1 ? await resend(tx, found, { at, replay }) : await hasten(tx, found, at);
        const after = { id: row.id };
        await writeAudit(tx, at, {
          project,
          actor,
          action: 'delivery.retried',
          resource: `delivery:${id}`,
          after,
        });
        return row;
      }),
    );
    wake();
    return row;
  };
  return [
    bind(listDeliveries, async ({ params, query }) => {
      const rows = await readPage(db, params.project, query);
      const page = rows.slice(0, query.limit);
      const last = page.at(-1);
      const hasMore = rows.length > query.limit && last !== undefined;
      return {
        items: page.map(shown),
        next: hasMore ? cursorAfter([last.created_at, last.id]) : null,
        scanned_to: hasMore ? iso(last.created_at) : null,
      };
    }),
    bind(getDelivery, async ({ params }) => {
      const row = await db.get<DeliveryRow>(SELECT_DELIVERY, [params.delivery, params.project]);
      if (row === undefined) throw notFound('delivery');
      const attempts = await db.all<AttemptRow>(SELECT_ATTEMPTS, [row.id]);
      return { ...shown(row), history: attempts.map(shownAttempt) };
    }),
    bind(retryDelivery, async ({ params, principal, headers }) =>
      shown(await retry(params.project, params.delivery, principal.actor, headers)),
    ),
  ];
}

/** The delivery that a retry has made; one that was only made due has none. */
const madeOf = (tx: Transaction, row: DeliveryRow, replay: string): Promise<DeliveryRow | undefined> =>
  tx.get<DeliveryRow>(SELECT_DELIVERY, [replayIdOf(row, replay), row.project_id]);

async function resend(tx: Transaction, letter: DeliveryRow, options: ReplayOptions): Promise<DeliveryRow> {
  const [sent] = await sendAgain(tx, [letter], options, null);
  if (sent === undefined) throw notAgain(letter);
  return sent;
}

async function hasten(tx: Transaction, row: DeliveryRow, at: number): Promise<DeliveryRow> {
  if (row.state !== 'pending') throw notAgain(row);
  await tx.deliveries.makeDue({ ids: [row.id] }, at);
  await tx.run(MAKE_DUE, [row.id, at]);
  return { ...row, due_at: Math.min(row.due_at ?? at, at) };
}

type Query = z.output<(typeof listDeliveries)['query']>;

/** One row more than the page has, where another page follows. */
async function readPage(db: Database, project: string, query: Query): Promise<readonly DeliveryRow[]> {
  const { event, endpoint, redelivery, state, origin, from = 0, to = END_OF_TIME, limit, cursor } = query;
  const [createdAt, id] = cursor === undefined ? [to, ''] : placeOf(cursor, ['number', 'string']);
  const common = [limit + 1, createdAt as number, id as string, from, project];
  if (event !== undefined) {
    const others = [state ?? '', origin ?? '', endpoint ?? '', redelivery ?? ''];
    return db.all(SELECT_DELIVERIES_OF_EVENT, [event, ...common, ...others]);
  }
  const page = (
    by: DeliveryPageShape['by'],
    ...values: readonly string[]
  ): Promise<readonly DeliveryRow[]> => {
    const sql = selectDeliveryPage({ by, state: state ?? null, origin: origin ?? null });
    const [first = project, ...others] = values;
    return db.all(sql, by === 'project' ? [first, ...common.slice(0, 4)] : [first, ...common, ...others]);
  };
  if (redelivery !== undefined) {
    // The indexes below do not begin with the project: nobody makes the service read another's rows.
    const known = await db.get(SELECT_REDELIVERY, [redelivery, project]);
    if (known === undefined || origin === 'live') return [];
    return endpoint === undefined
      ? page('redelivery', redelivery)
      : page('redelivery_to_endpoint', redelivery, endpoint);
  }
  if (endpoint === undefined) return page('project');
  const owner = await db.get<{ project_id: string }>(SELECT_PROJECT_OF_DELIVERIES, [endpoint]);
  return owner?.project_id === project ? page('endpoint', endpoint) : [];
}

const notAgain = ({ state }: DeliveryRow): Problem =>
  new Problem(
    'conflict',
    state === 'delivered'
      ? 'it was delivered: replay its event to send it once more'
      : 'it was sent again or discarded before: replay its event to send it once more',
  );

export const shown = (row: DeliveryRow): DeliveryView => ({
  id: row.id,
  event_id: row.event_id,
  event_type: row.event_type,
  endpoint_id: row.endpoint_id,
  origin: row.origin,
  state: row.state,
  attempts: row.attempts,
  next_attempt_at: isoOrNull(row.due_at),
  failure: row.failure as DeliveryView['failure'],
  status_code: row.status_code,
  is_dead_letter: row.dead === 1,
  redelivery_id: row.redelivery_id,
  created_at: iso(row.created_at),
  finished_at: isoOrNull(row.finished_at),
});

const shownAttempt = (row: AttemptRow): AttemptView => ({
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
