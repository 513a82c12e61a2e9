/**
 * Deleting projects. The row of a project goes at once, in one transaction that also notes the deletion: from then on,
 * keys, sources and endpoints of the project are not found. Retention removes its other rows in the background.
 */
import { idBefore, pageOfRows } from '../api/page.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso, isoOrNull } from '../api/shapes.js';
import type { Database } from '../db/index.js';
import { newId } from '../ids.js';
import { notFound, Problem } from '../errors/problem.js';
import {
  deleteProject,
  getProjectContents,
  listProjectDeletions,
  type ProjectContents,
  type ProjectDeletion,
} from './routes.js';
import {
  DELETE,
  type DeletionRow,
  MOST_COUNTED,
  type ProjectRow,
  SELECT_CONTENTS,
  SELECT_DELETIONS,
  SELECT_FOR_UPDATE,
} from './statements.js';

/** Dependencies of deletions. */
export interface DeletingParts {
  readonly db: Database;
  readonly now: () => number;
  /** Called after a project was deleted. */
  readonly deleted?: ((project: string) => void) | undefined;
}

/** Topics about a project: every process that listens reads what it has kept again. */
const KEPT = ['keys', 'channels', 'endpoints', 'receivers', 'rules', 'event_types', 'projects'] as const;

export function deletionRoutes({ db, now, deleted = () => undefined }: DeletingParts): readonly BoundRoute[] {
  const remove = (project: string, name: string, actor: string): Promise<DeletionRow> =>
    db.transaction(async (tx) => {
      const at = now();
      const row = await tx.get<ProjectRow>(SELECT_FOR_UPDATE, [project]);
      if (row === undefined) throw notFound('project');
      if (row.name !== name) {
        throw new Problem('invalid_request', 'name: this is not the name of the project', {
          issues: [{ code: 'invalid_value', pointer: '/name', message: 'not the name of the project' }],
        });
      }
      const deletion = { id: newId(at), project_id: project, name, deleted_at: at, deleted_by: actor };
      const noted = { ...deletion, removed: 0, ended_at: null };
      await tx.insert('project_deletions', [noted]);
      await tx.run(DELETE, [project]);
      for (const topic of KEPT) await tx.notify(topic, project);
      return noted;
    });
  return [
    bind(getProjectContents, async ({ params: { project } }) => {
      const counts = await db.get<ProjectContents>(SELECT_CONTENTS, [project, now()]);
      if (counts === undefined) throw notFound('project');
      // A sum of counts may be higher than each of them.
      const waiting_deliveries = Math.min(counts.waiting_deliveries, MOST_COUNTED + 1);
      return { ...counts, waiting_deliveries };
    }),
    bind(deleteProject, async ({ params: { project }, query: { name }, principal: { actor } }) => {
      const row = await remove(project, name, actor);
      deleted(project);
      return shown(row);
    }),
    bind(listProjectDeletions, async ({ query: { limit, cursor } }) => {
      const rows = await db.all<DeletionRow>(SELECT_DELETIONS, [idBefore(cursor), limit + 1]);
      return pageOfRows(rows, limit, shown);
    }),
  ];
}

const shown = (row: DeletionRow): ProjectDeletion => ({
  id: row.id,
  project: row.project_id,
  name: row.name,
  deleted_at: iso(row.deleted_at),
  deleted_by: row.deleted_by,
  removed: row.removed,
  ended_at: isoOrNull(row.ended_at),
});
