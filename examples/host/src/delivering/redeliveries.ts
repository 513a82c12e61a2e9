/** Bulk redeliveries: begun, shown, stopped. `redelivery-runner.ts` does their work. */
import { shownState } from '../stored/delivery-states.js';
import type { DeliveryState } from 'headgate/delivery';
import { jsonAnswer } from '../api/answers.js';
import { madeBefore, type NamedRequest, namedRequest } from '../api/idempotency.js';
import { idBefore, pageOfRows } from '../api/page.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso, isoOrNull } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries } from '../db/index.js';
import { newId } from '../ids.js';
import { notFound } from '../errors/problem.js';
import { isOwn, shownFilter } from './dead-letters.js';
import { countLetters, startOf } from './letter-scan.js';
import {
  getRedelivery,
  type LetterFilter,
  listRedeliveries,
  redeliverDeadLetters,
  type RedeliveryView,
  stopRedelivery,
} from './routes.js';
import {
  COUNT_REDELIVERED,
  type RedeliveryRow,
  SELECT_REDELIVERIES,
  SELECT_REDELIVERY,
  STOP_REDELIVERY,
} from './statements.js';

/** Dependencies of the routes of redeliveries. */
export interface RedeliveryParts {
  readonly db: Database;
  readonly now: () => number;
}

/** A redelivery as it was asked for. */
type Asked = Pick<RedeliveryRow, 'project_id' | 'filter' | 'total' | 'cursor' | 'created_by'>;

export function redeliveryRoutes({ db, now }: RedeliveryParts): readonly BoundRoute[] {
  const begin = (asked: Asked, request: NamedRequest | null): Promise<RedeliveryRow> =>
    db.transaction(async (tx) => {
      const at = now();
      const id = newId(at);
      const before = await madeBefore(tx, request, id, at);
      const { project_id: project, created_by: actor, total } = asked;
      if (before !== null) return redeliveryRow(tx, project, before);
      const begun = {
        state: 'running' as const,
        redelivered: 0,
        lease_until: 0,
        created_at: at,
        ended_at: null,
      };
      const row = { id, ...asked, ...begun };
      await tx.insert('redeliveries', [row]);
      const resource = `redelivery:${id}`;
      const after = { filter: shownRedelivery(row).filter, total };
      await writeAudit(tx, at, { project, actor, action: 'dead_letters.redelivered', resource, after });
      await tx.notify('redeliveries', project);
      return row;
    });
  const stop = (project: string, id: string, actor: string): Promise<void> =>
    db.transaction(async (tx) => {
      const at = now();
      const row = await redeliveryRow(tx, project, id);
      if ((await tx.run(STOP_REDELIVERY, [id, at])) === 0) return;
      const resource = `redelivery:${id}`;
      const states = { before: { state: row.state }, after: { state: 'stopped' } };
      await writeAudit(tx, at, { project, actor, action: 'redelivery.stopped', resource, ...states });
      await tx.notify('redeliveries', project);
    });
  return [
    bind(redeliverDeadLetters, async ({ params: { project }, body, principal, headers }) => {
      const { filter, dry } = body;
      // Letters that fail from now on are not among them.
      const latest = now() + 1;
      const start = startOf({ ...filter, to: Math.min(filter.to ?? latest, latest) });
      const total = (await isOwn(db, project, filter)) ? await countLetters(db, project, filter, start) : 0;
      if (dry) return jsonAnswer(200, { total, redelivery: null });
      const texts = { filter: JSON.stringify(filter), cursor: JSON.stringify(start) };
      const request = namedRequest(headers, `redeliverDeadLetters:${project}`, { filter });
      const row = await begin({ project_id: project, total, ...texts, created_by: principal.actor }, request);
      return { total: row.total, redelivery: shownRedelivery(row) };
    }),
    bind(listRedeliveries, async ({ params: { project }, query: { limit, cursor } }) => {
      const rows = await db.all<RedeliveryRow>(SELECT_REDELIVERIES, [project, idBefore(cursor), limit + 1]);
      return pageOfRows(rows, limit, shownRedelivery);
    }),
    bind(getRedelivery, ({ params }) => progressOf(db, params.project, params.redelivery)),
    bind(stopRedelivery, async ({ params, principal }) => {
      await stop(params.project, params.redelivery, principal.actor);
      return progressOf(db, params.project, params.redelivery);
    }),
  ];
}

async function progressOf(db: Database, project: string, id: string) {
  const row = await redeliveryRow(db, project, id);
  const counts = { pending: 0, delivered: 0, failed: 0 };
  const rows = await db.all<{ state: DeliveryState; n: number }>(COUNT_REDELIVERED, [id]);
  for (const { state, n } of rows) counts[shownState(state)] += n;
  // Deliveries that were made after the row was read count as well.
  const made = counts.pending + counts.delivered + counts.failed;
  return { ...shownRedelivery(row), redelivered: Math.max(row.redelivered, made), ...counts };
}

async function redeliveryRow(queries: Queries, project: string, id: string): Promise<RedeliveryRow> {
  const row = await queries.get<RedeliveryRow>(SELECT_REDELIVERY, [id, project]);
  if (row === undefined) throw notFound('redelivery');
  return row;
}

const shownRedelivery = (row: RedeliveryRow): RedeliveryView => ({
  id: row.id,
  filter: shownFilter(JSON.parse(row.filter) as LetterFilter),
  state: row.state,
  total: row.total,
  redelivered: row.redelivered,
  created_at: iso(row.created_at),
  created_by: row.created_by,
  ended_at: isoOrNull(row.ended_at),
});
