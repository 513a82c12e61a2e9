/** The routes of events, mounted for the operator. */
import { createApp } from '../../src/api/app.js';
import type { Principal } from '../../src/api/principal.js';
import type { Database } from '../../src/db/index.js';
import { createEvents, type EventParts } from '../../src/events/events.js';

const OPERATOR: Principal = { project: null, scopes: new Set(), actor: 'admin', isSession: false };

/** @param parts - Others than those of a host at rest. */
export function mountEvents(db: Database, parts: Partial<EventParts> = {}) {
  const authenticate = (): Promise<Principal> => Promise.resolve(OPERATOR);
  const report = (error: unknown): void => {
    throw error;
  };
  const all: EventParts = { db, now: Date.now, authenticate, report, ...parts };
  const events = createEvents(all);
  const app = createApp({
    routes: events.routes,
    authenticate: all.authenticate,
    projectExists: () => Promise.resolve(true),
    served: () => undefined,
    now: all.now,
    isStopping: () => false,
  });
  return { app, events };
}
