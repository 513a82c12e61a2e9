/** Look-ups of endpoints: for fan-out by topic, for attempts by id. */
import { type FanOutEndpoint, topicEntries } from 'headgate/delivery';
import type { Database } from '../db/index.js';
import { createBatch } from '../caching/batch.js';
import { createFreshCache } from '../caching/fresh-cache.js';
import type { Subscriber } from '../stored/subscriber.js';
import { type Sealed, type Target, targetOf, topicsOf } from './shown.js';
import { type EndpointRow, EVERY_TOPIC, NAMED, SUBSCRIBERS, TARGETS, WITH_TOPICS } from './statements.js';

/** Look-ups. */
export interface Lookups {
  /** The endpoints of a project that are subscribed to a topic, active or paused, in the order of their ids. */
  subscribers(project: string, topic: string): Promise<readonly Subscriber[]>;
  /** Returns the endpoints with these ids that a project has, with their topics, as they are now. */
  named(project: string, ids: readonly string[]): Promise<readonly FanOutEndpoint[]>;
  target(endpointId: string): Promise<Target | null>;
  /** Call after each edit. */
  clear(): void;
  stop(): void;
}

/** The endpoints of a project that get every topic, and whether there are others. */
interface OfProject {
  readonly everyTopic: Subscriber[];
  hasOthers: boolean;
}

/** Topics whose subscribers are kept; each may have some thousands. */
const MOST_TOPICS = 256;

/** Look-ups of one tick are made as one. Targets are not kept: an edit holds from the next attempt on. */
export function createLookups(db: Database, now: () => number, sealed: Sealed): Lookups {
  const projects = createFreshCache({
    now,
    load: createBatch((ids: readonly string[]) => ofProjects(db, ids)),
  });
  const topics = createFreshCache({
    now,
    maxEntries: MOST_TOPICS,
    load: createBatch((keys: readonly string[]) => byTopic(db, keys)),
  });
  const targets = createBatch(async (ids: readonly string[]) => {
    const rows = await db.all<EndpointRow>(TARGETS, [JSON.stringify(ids)]);
    return new Map(rows.map((row) => [row.id, targetOf(row, sealed)]));
  });
  const clear = (): void => {
    projects.clear();
    topics.clear();
  };
  const unlisten = db.listen('endpoints', clear);
  return {
    async subscribers(project, topic) {
      const { everyTopic = [], hasOthers = false } = (await projects.get(project)) ?? {};
      const others = hasOthers ? ((await topics.get(`${project} ${topic}`)) ?? []) : [];
      return others.length === 0 ? everyTopic : [...everyTopic, ...others].sort(byId);
    },
    async named(project, ids) {
      const asked = JSON.stringify(ids.map((id) => id.toLowerCase()));
      const rows = await db.all<Pick<EndpointRow, 'id' | 'topics'> & FanOutEndpoint>(NAMED, [project, asked]);
      return rows.map((row) => ({ id: row.id, status: row.status, topics: topicsOf(row) }));
    },
    target: async (endpointId) => (await targets(endpointId)) ?? null,
    clear,
    stop: unlisten,
  };
}

const byId = (a: FanOutEndpoint, b: FanOutEndpoint): number => (a.id < b.id ? -1 : 1);

async function ofProjects(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, OfProject>> {
  const found = new Map<string, OfProject>(ids.map((id) => [id, { everyTopic: [], hasOthers: false }]));
  const rows = await db.all<Subscriber & { readonly project_id: string }>(EVERY_TOPIC, [JSON.stringify(ids)]);
  for (const { project_id, ...one } of rows) found.get(project_id)?.everyTopic.push(one);
  const asked = JSON.stringify(ids.map((id) => ({ id })));
  for (const { id } of await db.all<{ readonly id: string }>(WITH_TOPICS, [asked])) {
    const project = found.get(id);
    if (project !== undefined) project.hasOthers = true;
  }
  return found;
}

/** @param keys - A project and a topic each, with a blank between. */
async function byTopic(
  db: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly Subscriber[]>> {
  const entries = keys.flatMap((key) => {
    const blank = key.indexOf(' ');
    const project = key.slice(0, blank);
    return topicEntries(key.slice(blank + 1)).map((entry) => ({ key, project_id: project, entry }));
  });
  const rows = await db.all<Subscriber & { readonly key: string }>(SUBSCRIBERS, [JSON.stringify(entries)]);
  const found = new Map<string, Map<string, Subscriber>>();
  for (const { key, ...one } of rows) {
    const endpoints = found.get(key) ?? new Map<string, Subscriber>();
    found.set(key, endpoints.set(one.id, one));
  }
  return new Map([...found].map(([key, endpoints]) => [key, [...endpoints.values()]]));
}
