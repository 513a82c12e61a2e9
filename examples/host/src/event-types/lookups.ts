/** Look-ups of strict event types, for publishing: an event of any other type costs no more than one. */
import { createBatch } from '../caching/batch.js';
import { createFreshCache } from '../caching/fresh-cache.js';
import type { Database } from '../db/index.js';
import { STRICT_SCHEMAS, WITH_STRICT } from './statements.js';

/** Look-ups; in this process as types are now, in others at most a second old. */
export interface Lookups {
  /** The schema of a strict type, as JSON; null for any other type. */
  strictSchema(project: string, type: string): Promise<string | null>;
  /** Call after each edit. */
  clear(): void;
  stop(): void;
}

/** Types whose schemas are kept; each has at most 64 KiB. */
const MOST_TYPES = 256;

export function createLookups(db: Database, now: () => number): Lookups {
  const projects = createFreshCache({
    now,
    load: createBatch((ids: readonly string[]) => withStrict(db, ids)),
  });
  const types = createFreshCache({
    now,
    maxEntries: MOST_TYPES,
    load: createBatch((keys: readonly string[]) => schemasOf(db, keys)),
  });
  const clear = (): void => {
    projects.clear();
    types.clear();
  };
  const unlisten = db.listen('event_types', clear);
  return {
    async strictSchema(project, type) {
      if ((await projects.get(project)) !== true) return null;
      return (await types.get(`${project} ${type}`)) ?? null;
    },
    clear,
    stop: unlisten,
  };
}

async function withStrict(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, true>> {
  const asked = JSON.stringify(ids.map((id) => ({ id })));
  const rows = await db.all<{ readonly id: string }>(WITH_STRICT, [asked]);
  return new Map(rows.map(({ id }) => [id, true]));
}

/** @param keys - A project and a type each, with a blank between. */
async function schemasOf(db: Database, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const asked = keys.map((key) => {
    const [project_id, name] = key.split(' ');
    return { key, project_id, name };
  });
  const rows = await db.all<{ readonly key: string; readonly schema: string }>(STRICT_SCHEMAS, [
    JSON.stringify(asked),
  ]);
  return new Map(rows.map(({ key, schema }) => [key, schema]));
}
