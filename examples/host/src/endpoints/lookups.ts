/** Look-ups of endpoints: for fan-out by project, for attempts by id. */
import type { DeliveryTarget, FanOutEndpoint } from 'headgate/delivery';
import type { Database } from '../db/index.js';
import { createBatch } from '../caching/batch.js';
import { createFreshCache } from '../caching/fresh-cache.js';
import { targetOf } from './shown.js';
import { type EndpointRow, FAN_OUT, TARGETS } from './statements.js';

/** Look-ups. */
export interface Lookups {
  ofProject(project: string): Promise<readonly FanOutEndpoint[]>;
  target(endpointId: string): Promise<DeliveryTarget | null>;
  /** Call after each edit. */
  clear(): void;
  stop(): void;
}

/** Those of one tick are made as one. Targets are not kept: an edit holds from the next attempt on. */
export function createLookups(db: Database, now: () => number): Lookups {
  const fanOuts = createBatch(async (projects: readonly string[]) => {
    const rows = await db.all<FanOutEndpoint & { readonly project_id: string }>(FAN_OUT, [
      JSON.stringify(projects),
    ]);
    const byProject = new Map<string, FanOutEndpoint[]>(projects.map((project) => [project, []]));
    for (const { id, status, project_id } of rows) byProject.get(project_id)?.push({ id, status });
    return byProject;
  });
  const targets = createBatch(async (ids: readonly string[]) => {
    const rows = await db.all<EndpointRow>(TARGETS, [JSON.stringify(ids)]);
    return new Map(rows.map((row) => [row.id, targetOf(row)]));
  });
  const kept = createFreshCache({ now, load: fanOuts });
  const unlisten = db.listen('endpoints', () => kept.clear());
  return {
    ofProject: async (project) => (await kept.get(project)) ?? [],
    target: async (endpointId) => (await targets(endpointId)) ?? null,
    clear: () => kept.clear(),
    stop: unlisten,
  };
}
