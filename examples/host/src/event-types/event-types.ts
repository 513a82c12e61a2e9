/** Event types: the catalog of what a project publishes, and the check of what is published by it. */
import type { Principal } from '../api/principal.js';
import { bind, type BoundRoute, WithHeaders } from '../api/route.js';
import type { Database, Queries } from '../db/index.js';
import { notFound, Problem } from '../errors/problem.js';
import { cursorAfter, sortKeyOf } from '../http/cursor.js';
import { etag } from '../http/version.js';
import { type About, createEdits } from './edits.js';
import { createLookups } from './lookups.js';
import {
  createEventType,
  deleteEventType,
  type EventType,
  getEventType,
  listEventTypes,
  updateEventType,
} from './routes.js';
import { createSchemaPool } from './schema-pool.js';
import { shownEventType, shownItem } from './shown.js';
import { type EventTypeRow, type ItemRow, SELECT, SELECT_PAGE } from './statements.js';

/** Dependencies of this module. */
export interface EventTypeParts {
  readonly db: Database;
  /** The same, for what callers of the API may ask for without end. */
  readonly reads: Queries;
  readonly now: () => number;
  readonly pool?: ReturnType<typeof createSchemaPool>;
}

/** Event types. */
export interface EventTypes {
  /**
   * Checks an event that is published, if its type is strict.
   *
   * @param data - JSON.
   * @throws Problem (as a rejection) `invalid_event` with the first issues; `overloaded` if it cannot be checked now.
   */
  assertValid(project: string, type: string, data: string): Promise<void>;
  stop(): Promise<void>;
  readonly routes: readonly BoundRoute[];
}

export function createEventTypes({ db, reads, now, pool = createSchemaPool() }: EventTypeParts): EventTypes {
  const lookups = createLookups(db, now);
  const edits = createEdits({
    ...{ db, now, edited: lookups.clear },
    check: (project, documents) => pool.run('describe', documents, { project }),
  });
  return {
    async assertValid(project, type, data) {
      const schema = await lookups.strictSchema(project, type);
      if (schema === null) return;
      const issues = await pool.run('check', { schema, data }, { project });
      const [first] = issues;
      if (first === undefined) return;
      const message = `data does not match the schema of ${type}: ${first.pointer} ${first.message}`;
      throw new Problem('invalid_event', message, { issues });
    },
    async stop() {
      lookups.stop();
      await pool.close();
    },
    routes: [
      bind(listEventTypes, async ({ params: { project }, query: { limit, cursor } }) => {
        const [after] = cursor === undefined ? [''] : sortKeyOf(cursor, ['string']);
        const rows = await reads.all<ItemRow>(SELECT_PAGE, [project, after as string, limit + 1]);
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        const next = rows.length > limit && last !== undefined ? cursorAfter([last.name]) : null;
        return { items: page.map(shownItem), next };
      }),
      bind(
        createEventType,
        async ({ params: { project }, body: { name, ...settings }, headers, principal }) =>
          versioned(await edits.create({ project, name, headers, actor: principal.actor }, settings)),
      ),
      bind(getEventType, async ({ params: { project, type } }) => {
        const row = await reads.get<EventTypeRow>(SELECT, [project, type]);
        if (row === undefined) throw notFound('event type');
        return versioned(row);
      }),
      bind(updateEventType, async (call) => versioned(await edits.update(aboutOf(call), call.body))),
      bind(deleteEventType, async (call) => {
        await edits.remove(aboutOf(call));
        return undefined;
      }),
    ],
  };
}

const versioned = (row: EventTypeRow): WithHeaders<EventType> =>
  new WithHeaders(shownEventType(row), { etag: etag(row.version) });

/** The members of a call that edits need. */
interface EditCall {
  readonly params: { readonly project: string; readonly type: string };
  readonly headers: Headers;
  readonly principal: Principal;
}

const aboutOf = ({ params: { project, type }, headers, principal }: EditCall): About => ({
  ...{ project, name: type, headers, actor: principal.actor },
});
