/** The audit log as a list. */
import { parseJson } from 'headgate';
import { idBefore, PAGE_BYTES, pageOfRows } from '../api/page.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso } from '../api/shapes.js';
import type { Database } from '../db/index.js';
import { firstIdAt } from '../ids.js';
import { leftOut, MOST_SHOWN } from './kept.js';
import { listAudit } from './routes.js';
import { type AuditRow, FILTERS, selectPage } from './statements.js';

/** Dependencies of this module. */
export interface AuditParts {
  readonly db: Database;
}

/** The audit log. */
export interface Audit {
  readonly routes: readonly BoundRoute[];
}

export const createAudit = ({ db }: AuditParts): Audit => ({
  routes: [
    bind(listAudit, async ({ params: { project }, query }) => {
      const { limit, cursor, from = 0, to } = query;
      const filters = FILTERS.filter((column) => query[column] !== undefined);
      const values = filters.map((column) => query[column] ?? '');
      // Ids begin with the time of the entry.
      const ends = [idBefore(cursor), ...(to === undefined ? [] : [firstIdAt(to)])].sort();
      const bounds = [ends[0] ?? '', firstIdAt(from), limit + 1, PAGE_BYTES, MOST_SHOWN];
      const rows = await db.all<AuditRow>(selectPage(filters), [project, ...bounds, ...values]);
      return pageOfRows(rows, limit, shown);
    }),
  ],
});

const shown = ({ id, at, actor, action, resource, ...row }: AuditRow) => ({
  id,
  at: iso(at),
  actor,
  action,
  resource,
  before: stateOf(row.before, row.before_bytes),
  after: stateOf(row.after, row.after_bytes),
});

/** A state, or its size if it is too large to show. */
function stateOf(text: string | null, bytes: number | null): unknown {
  if (text !== null) return parseJson(text);
  return bytes === null ? null : leftOut(bytes, null);
}
