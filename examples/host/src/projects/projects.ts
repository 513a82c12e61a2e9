/** Projects: what everything else belongs to. */
import { idBefore, pageOfRows } from '../api/page.js';
import type { Principal } from '../api/principal.js';
import { bind, type BoundRoute, WithHeaders } from '../api/route.js';
import { iso } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries, Sql, Transaction } from '../db/index.js';
import { newId } from '../ids.js';
import { notFound } from '../errors/problem.js';
import { deletionRoutes } from './deleting.js';
import { editLook, lookOf, portalRoutes } from './portal.js';
import { etag, expectVersion, isChange } from '../http/version.js';
import {
  createProject,
  getProject,
  type PortalEdit,
  listProjects,
  type Project,
  updatePlan,
  updateProject,
} from './routes.js';
import { type ProjectRow, SELECT, SELECT_FOR_UPDATE, SELECT_PAGE, UPDATE } from './statements.js';

/** Dependencies of this module. */
export interface ProjectParts {
  readonly db: Database;
  readonly now: () => number;
  /** Makes the first key of a project in its transaction, and returns it; keys are another module's. */
  readonly firstKey: (queries: Queries, project: string, actor: string) => Promise<string>;
  /** Makes the channel by which a project publishes events, in its transaction. */
  readonly firstChannel: (tx: Transaction, project: string, actor: string) => Promise<unknown>;
  /** Called after a project was deleted. */
  readonly deleted?: ((project: string) => void) | undefined;
}

/** The settings of a new project. */
export interface NewProject {
  readonly name: string;
  readonly plan: Project['plan'];
  readonly retention_days: number;
  readonly auto_pause_days: number | null;
}

/** The settings that an edit gives. */
interface Edit extends Partial<NewProject> {
  readonly portal?: PortalEdit;
}

/** Projects, for the routes and for the first start. */
export interface Projects {
  create(settings: NewProject, actor: string): Promise<{ readonly project: Project; readonly key: string }>;
  get(id: string): Promise<Project>;
  exists(id: string): Promise<boolean>;
  readonly routes: readonly BoundRoute[];
}

export function createProjects(parts: ProjectParts): Projects {
  const { db, now, firstKey, firstChannel } = parts;
  const create: Projects['create'] = (settings, actor) =>
    db.transaction(async (tx) => {
      const at = now();
      const row = {
        id: newId(at),
        ...settings,
        rules_version: 0,
        log_position: 0,
        portal: null,
        version: 1,
        created_at: at,
        updated_at: at,
      };
      await tx.insert('projects', [row]);
      const project = shown(row);
      await writeAudit(tx, at, {
        project: row.id,
        actor,
        action: 'project.created',
        resource: `project:${row.id}`,
        after: project,
      });
      await firstChannel(tx, row.id, actor);
      return { project, key: await firstKey(tx, row.id, actor) };
    });
  const get: Projects['get'] = async (id) => shown(await projectRow(db, SELECT, id));
  const change = ({ id, actor, headers }: About, { portal, ...edit }: Edit): Promise<WithHeaders<Project>> =>
    db.transaction(async (tx) => {
      const at = now();
      const before = await projectRow(tx, SELECT_FOR_UPDATE, id);
      expectVersion(headers, before.version);
      const look = portal === undefined ? before.portal : await editLook(tx, before, portal, at);
      if (!isChange(before, { ...edit, portal: look })) return versioned(shown(before));
      const next = { ...before, ...edit, portal: look, version: before.version + 1, updated_at: at };
      const { name, plan, retention_days, auto_pause_days, version } = next;
      await tx.run(UPDATE, [id, name, plan, retention_days, auto_pause_days, look, version, at]);
      const resource = `project:${id}`;
      const states = { before: shown(before), after: shown(next) };
      await writeAudit(tx, at, { project: id, actor, action: 'project.updated', resource, ...states });
      return versioned(states.after);
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
      bind(getProject, async ({ params }) => versioned(await get(params.project))),
      bind(updateProject, (call) => change(aboutOf(call), defined(call.body))),
      bind(updatePlan, (call) => change(aboutOf(call), call.body)),
      ...[...portalRoutes(db, get), ...deletionRoutes(parts)],
    ],
  };
}

/** The project and the author of a change. */
interface About {
  readonly id: string;
  readonly actor: string;
  /** With `If-Match`, where the editor has read a version. */
  readonly headers: Headers;
}

/** The members of a call that edits need. */
interface EditCall {
  readonly params: { readonly project: string };
  readonly principal: Principal;
  readonly headers: Headers;
}

const aboutOf = ({ params, principal: { actor }, headers }: EditCall): About => ({
  id: params.project,
  actor,
  headers,
});

const versioned = (project: Project): WithHeaders<Project> =>
  new WithHeaders(project, { etag: etag(project.version) });

async function projectRow(queries: Queries, select: Sql, id: string): Promise<ProjectRow> {
  const row = await queries.get<ProjectRow>(select, [id]);
  if (row === undefined) throw notFound('project');
  return row;
}

const shown = (row: ProjectRow): Project => ({
  id: row.id,
  name: row.name,
  plan: row.plan as Project['plan'],
  retention_days: row.retention_days,
  auto_pause_days: row.auto_pause_days,
  portal: lookOf(row),
  rules_version: row.rules_version,
  version: row.version,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

/** The members that an edit gives. */
const defined = <Edit extends object>(edit: Edit): { [Key in keyof Edit]: Exclude<Edit[Key], undefined> } =>
  Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined)) as never;
