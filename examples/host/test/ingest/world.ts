/** Ingest behind the API, for tests: on a database, with channels that are given. */
import { onTestFinished } from 'vitest';
import { createApp } from '../../src/api/app.js';
import type { Principal } from '../../src/api/principal.js';
import type { Database } from '../../src/db/index.js';
import type { PersistedEvent } from '../../src/stored/event-json.js';
import { newId } from '../../src/ids.js';
import type { IngestChannel } from '../../src/sources/index.js';
import { createIngest, type IngestLimits } from '../../src/ingest/ingest.js';
import { createMemory } from '../../src/limits/memory.js';
import { AT } from '../deciding/seed.js';

export const LEASE_MS = 15_000;

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** Ingest on a database, with a clock, and room for events that tests set. */
interface World {
  readonly db: Database;
  readonly taken: PersistedEvent[];
  readonly counted: string[];
  readonly send: (path: string, body: BodyInit | null, headers?: Record<string, string>) => Promise<Answer>;
  readonly stop: () => Promise<void>;
  now: number;
  hasRoom: boolean;
}

export const PROJECT = newId(AT);
export const channel = (changes: Partial<IngestChannel> = {}): IngestChannel => ({
  id: newId(AT),
  project: PROJECT,
  name: 'orders',
  address: 'address',
  type: 'webhook',
  topicPath: null,
  orderingPath: null,
  byAddress: true,
  source: { name: 'none', settings: { secrets: [], header: null } },
  requiresKey: false,
  ...changes,
});

const principalOf = (authorization: string | null): Principal | null => {
  if (authorization === 'Bearer operator') {
    return { project: null, scopes: new Set(), actor: 'admin', isSession: false };
  }
  const [, scope, project = PROJECT] = /^Bearer (\w+) ?(\S+)?$/.exec(authorization ?? '') ?? [];
  if (scope === undefined) return null;
  return { project, scopes: new Set([scope as 'ingest']), actor: 'key:k', isSession: false };
};

/** @param channels - By their names in paths. */
export function world(
  db: Database,
  channels: Readonly<Record<string, IngestChannel>>,
  limits: Partial<IngestLimits> = {},
  memory = createMemory(),
): World {
  const made = { db, now: AT, hasRoom: true, taken: [] as PersistedEvent[], counted: [] as string[] };
  const ingest = createIngest({
    db,
    now: () => made.now,
    operatorKey: null,
    channels: {
      find: (name) => Promise.resolve(channels[name] ?? null),
      apiChannel: (project, id) => {
        const own = Object.values(channels).filter((one) => one.project === project && one.type === 'api');
        return Promise.resolve(own.find((one) => id === null || one.id === id) ?? null);
      },
    },
    assertValid: () => Promise.resolve(),
    decide: {
      hasRoom: () => made.hasRoom,
      take: (events) => void made.taken.push(...events),
      leaseMs: LEASE_MS,
    },
    metrics: {
      ingested: (result) => void made.counted.push(result),
      committed: () => undefined,
      storeFailed: () => undefined,
    },
    report: () => undefined,
    limits,
  });
  const app = createApp({
    routes: ingest.routes,
    authenticate: (headers) => Promise.resolve(principalOf(headers.get('authorization'))),
    projectExists: () => Promise.resolve(true),
    served: () => undefined,
    now: () => made.now,
    isStopping: () => false,
    memory,
  });
  onTestFinished(() => ingest.stop());
  return Object.assign(made, {
    stop: () => ingest.stop(),
    send: async (path: string, body: BodyInit | null, headers: Record<string, string> = {}) => {
      const response = await app.fetch(
        new Request(`http://hooks.test${path}`, {
          method: 'POST',
          body,
          headers: {
            'content-type': 'application/json',
            ...(typeof body === 'string' && { 'content-length': `${Buffer.byteLength(body)}` }),
            ...headers,
          },
          duplex: 'half',
        } as RequestInit),
      );
      const text = await response.text();
      return {
        status: response.status,
        body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Record<string, unknown>,
        headers: response.headers,
      };
    },
  });
}

export const storedEvents = (db: Database) =>
  db.all<{
    id: string;
    status: string;
    decide_at: number;
    data: string;
    raw_payload: string;
    received_at: number;
  }>(
    'select id, status, decide_at, received_at, data, raw_payload from events join event_payloads on event_id = id order by id',
  );
