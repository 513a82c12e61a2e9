/** Projects: what everything else belongs to. */
import { idBefore, pageOfRows } from '../api/page.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries } from '../db/index.js';
import { newId } from '../ground/ids.js';
import { notFound } from '../ground/problem.js';
import {
  createProject,
  getProject,
  listProjects,
  type Project,
  updatePlan,
  updateProject,
} from './routes.js';
import { type ProjectRow, SELECT, SELECT_PAGE, UPDATE } from './statements.js';

/** What this room needs of others. */
export interface ProjectParts {
  readonly db: Database;
  readonly now: () => number;
  /** Makes the first key of a project in its transaction, and returns it; keys are another room's. */
  readonly firstKey: (queries: Queries, project: string, actor: string) => Promise<string>;
}

/** The settings of a new project. */
export interface NewProject {
  readonly name: string;
  readonly plan: Project['plan'];
  readonly retention_days: number;
  readonly auto_pause_days: number | null;
}

/** Projects, for the routes and for the first start. */
export interface Projects {
  create(settings: NewProject, actor: string): Promise<{ readonly project: Project; readonly key: string }>;
  get(id: string): Promise<Project>;
  exists(id: string): Promise<boolean>;
  readonly routes: readonly BoundRoute[];
}

export function createProjects({ db, now, firstKey }: ProjectParts): Projects {
  const create: Projects['create'] = (settings, actor) =>
    db.transaction(async (tx) => {
      const at = now();
      const row = {
        id: newId(at),
        ...settings,
        rules_version: 0,
        log_position: 0,
        created_at: at,
        updated_at: at,
      };
      await tx.insert('projects', [row]);
      const project = shown(row);
      const resource = `project:${row.id}`;
      await writeAudit(tx, at, {
        project: row.id,
        actor,
        action: 'project.created',
        resource,
        after: project,
      });
      return { project, key: await firstKey(tx, row.id, actor) };
    });
  const get: Projects['get'] = async (id) => shown(await projectRow(db, id));
  const change = (id: string, actor: string, edit: Partial<NewProject>): Promise<Project> =>
    db.transaction(async (tx) => {
      const at = now();
      const before = await projectRow(tx, id);
      const next = { ...before, ...edit, updated_at: at };
      await tx.run(UPDATE, [id, next.name, next.plan, next.retention_days, next.auto_pause_days, at]);
      const resource = `project:${id}`;
      const states = { before: shown(before), after: shown(next) };
      await writeAudit(tx, at, { project: id, actor, action: 'project.updated', resource, ...states });
      return states.after;
    });
  return {
    create,
    get,
    exists: async (id) => (await db.get(SELECT, [id])) !== undefined,
    routes: [
      bind(listProjects, async ({ query: { limit, cursor } }) => {
        const rows = await db.all<ProjectRow>(SELECT_PAGE, [idBefore(cursor), limit + 1]);
        return pageOfRows(rows, limit, shown);
      }),
      bind(createProject, ({ body, principal }) => create(body, principal.actor)),
      bind(getProject, ({ params }) => get(params.project)),
      bind(updateProject, ({ params, body, principal }) =>
        change(params.project, principal.actor, defined(body)),
      ),
      bind(updatePlan, ({ params, body, principal }) => change(params.project, principal.actor, body)),
    ],
  };
}

async function projectRow(queries: Queries, id: string): Promise<ProjectRow> {
  const row = await queries.get<ProjectRow>(SELECT, [id]);
  if (row === undefined) throw notFound('project');
  return row;
}

const shown = (row: ProjectRow): Project => ({
  id: row.id,
  name: row.name,
  plan: row.plan as Project['plan'],
  retention_days: row.retention_days,
  auto_pause_days: row.auto_pause_days,
  rules_version: row.rules_version,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

/** The members that an edit gives. */
const defined = <Edit extends object>(edit: Edit): { [Key in keyof Edit]: Exclude<Edit[Key], undefined> } =>
  Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined)) as never;
