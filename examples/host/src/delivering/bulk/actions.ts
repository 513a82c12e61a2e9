/**
 * Bulk actions, redeliveries and replays of many events: begun, listed, shown, stopped. `runner.ts` does their work.
 */
import { madeBefore, type NamedRequest } from '../../api/idempotency.js';
import { idBefore, PAGE_BYTES, type Page, pageOfRows } from '../../api/page.js';
import { writeAudit } from '../../audit/audit.js';
import type { Database, ListedRow, Queries } from '../../db/index.js';
import { newId } from '../../ids.js';
import { notFound, Problem } from '../../errors/problem.js';
import * as sql from './statements.js';

/** Dependencies of bulk actions. */
export interface BulkParts {
  readonly db: Database;
  readonly now: () => number;
}

/** A bulk action as it was asked for. */
export type AskedAction = Pick<
  sql.BulkRow,
  'project_id' | 'filter' | 'total' | 'cursor' | 'created_by' | 'created_at'
>;

/** The answers that actions of one kind give. */
export interface KindOfAction {
  readonly kind: sql.BulkRow['kind'];
  /** The actions of the audit log. */
  readonly begun: string;
  readonly stopped: string;
  /** Most that a project may have running. */
  readonly mostRunning: number;
}

/** The actions of one kind. */
export interface BulkActions {
  /**
   * Begins an action, or gives the one that the same request has begun before.
   *
   * @param after - Goes into the audit log.
   * @throws Problem `conflict` if too many of the project run.
   */
  begin(asked: AskedAction, after: object, request: NamedRequest | null): Promise<sql.BulkRow>;
  /** @throws Problem `not_found` */
  progress(project: string, id: string): Promise<Progress>;
  /** @throws Problem `not_found` */
  stop(project: string, id: string, actor: string): Promise<Progress>;
  page<Item>(
    project: string,
    query: { readonly limit: number; readonly cursor?: string | undefined },
    shown: (row: sql.BulkRow) => Item,
  ): Promise<Page<Item>>;
}

/** An action with its deliveries by their state. */
export interface Progress {
  readonly row: sql.BulkRow;
  readonly counts: { readonly pending: number; readonly delivered: number; readonly failed: number };
}

export function createBulkActions({ db, now }: BulkParts, of: KindOfAction): BulkActions {
  const { kind } = of;
  const progress = async (queries: Queries, project: string, id: string): Promise<Progress> => {
    const row = await queries.get<sql.BulkProgressRow>(sql.SELECT_PROGRESS, [id, project, kind]);
    if (row === undefined) throw notFound(kind);
    const { pending, failed } = row;
    return { row, counts: { pending, failed, delivered: Math.max(0, row.deliveries - pending - failed) } };
  };
  return {
    begin: (asked, after, request) =>
      db.transaction(async (tx) => {
        const { project_id: project, created_by: actor, created_at: at } = asked;
        const id = newId(at);
        const before = await madeBefore(tx, request, id, at);
        if (before !== null) return (await progress(tx, project, before)).row;
        await assertRoom(tx, project, of);
        const counts = { sent: 0, scanned: 0, skipped: 0, deliveries: 0, lease_until: 0 };
        const row = { id, kind, ...asked, ...counts, state: 'running' as const, ended_at: null };
        await tx.insert('bulk_actions', [row]);
        await writeAudit(tx, at, { project, actor, action: of.begun, resource: `${kind}:${id}`, after });
        await tx.notify('bulk', project);
        return row;
      }),
    progress: (project, id) => progress(db, project, id),
    async stop(project, id, actor) {
      await db.transaction(async (tx) => {
        const { row } = await progress(tx, project, id);
        const at = now();
        if ((await tx.run(sql.STOP_ACTION, [id, at])) === 0) return;
        const states = { before: { state: row.state }, after: { state: 'stopped' } };
        const resource = `${kind}:${id}`;
        await writeAudit(tx, at, { project, actor, action: of.stopped, resource, ...states });
        await tx.notify('bulk', project);
      });
      return progress(db, project, id);
    },
    async page(project, { limit, cursor }, shown) {
      const values = [project, kind, idBefore(cursor), limit + 1, PAGE_BYTES];
      const rows = await db.all<sql.BulkRow & ListedRow>(sql.SELECT_ACTIONS, values);
      return pageOfRows(rows, limit, shown);
    },
  };
}

async function assertRoom(queries: Queries, project: string, { kind, mostRunning }: KindOfAction) {
  if (mostRunning === Infinity) return;
  const running = await queries.get<{ n: number }>(sql.COUNT_RUNNING, [project, kind, mostRunning]);
  if ((running?.n ?? 0) < mostRunning) return;
  throw new Problem(
    'conflict',
    `${mostRunning} of the project run already: stop one, or wait until one is done`,
  );
}
