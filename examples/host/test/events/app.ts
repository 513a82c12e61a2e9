/** The routes of events, mounted for the operator. */
import { createApp } from '../../src/api/app.js';
import type { Principal } from '../../src/api/principal.js';
import type { Database } from '../../src/db/index.js';
import { createEvents, type EventParts } from '../../src/events/events.js';
import { searchHere } from '../../src/events/search.js';

const OPERATOR: Principal = { project: null, scopes: new Set(), actor: 'admin', isSession: false };

export type MountedParts = Partial<EventParts>;

/** @param parts - Others than those of a host at rest, whose searches are made in this thread. */
export function mountEvents(db: Database, parts: MountedParts = {}) {
  const { now = Date.now } = parts;
  const authenticate = (): Promise<Principal> => Promise.resolve(OPERATOR);
  const report = (error: unknown): void => {
    throw error;
  };
  const all: EventParts = { db, now, authenticate, report, search: searchHere(db, now), ...parts };
  const events = createEvents(all);
  const app = createApp({
    routes: events.routes,
    authenticate: all.authenticate,
    projectExists: () => Promise.resolve(true),
    served: () => undefined,
    now,
    isStopping: () => false,
  });
  return { app, events };
}
