/** The parts of the host that benches measure, with what they need of others made up. */
import type { RequestListener } from 'node:http';
import type { Rule } from 'headgate';
import { getRequestListener } from '@hono/node-server';
import { createApp } from '../src/api/app.js';
import type { Database } from '../src/db/index.js';
import { createDeciding, type Deciding } from '../src/deciding/deciding.js';
import { LEASE_MS } from '../src/deciding/sweeper.js';
import { newId } from '../src/ids.js';
import { createIngest } from '../src/ingest/ingest.js';
import { noScheduler } from '../test/deciding/seed.js';

/** The channel of all events. */
export const CHANNEL = newId(Date.now());

const nothing = (): undefined => undefined;

/** A project with nothing in it. */
export async function insertProject(db: Database, id: string): Promise<void> {
  const at = Date.now();
  await db.insert('projects', [
    {
      ...{ id, name: 'bench', plan: 'pro', retention_days: 30, auto_pause_days: null, rules_version: 1 },
      ...{ log_position: 0, batch_position: 0, created_at: at, updated_at: at },
    },
  ]);
}

/** Deciding, with two endpoints for each project. */
export function decidingOf(db: Database, rulesOf: (project: string) => readonly Rule[]): Deciding {
  const texts = new Map<readonly Rule[], string>();
  const textOf = (rules: readonly Rule[]): string => {
    const text = texts.get(rules) ?? JSON.stringify(rules);
    texts.set(rules, text);
    return text;
  };
  const endpoints = ['a', 'b'].map((last) => ({
    id: `00000000-0000-7000-8000-00000000000${last}`,
    status: 'active' as const,
  }));
  return createDeciding({
    db,
    now: Date.now,
    rules: { current: (project) => Promise.resolve({ version: 1, text: textOf(rulesOf(project)) }) },
    endpoints: { subscribers: () => Promise.resolve(endpoints) },
    ...noScheduler,
    metrics: { decided: nothing, decideFailed: nothing, storeFailed: nothing, threadReplaced: nothing },
    report: (error, about) => console.error(about, error),
  });
}

/**
 * The whole HTTP side with ingest alone.
 *
 * @param projectOf - By the last part of the address.
 */
export function listenerOf(
  db: Database,
  projectOf: (name: string) => string | null,
  decide: Pick<Deciding, 'hasRoom' | 'take'>,
): RequestListener {
  const common = {
    ...({
      id: CHANNEL,
      name: 'bench',
      address: 'bench',
      type: 'webhook',
      topicPath: null,
      orderingPath: null,
    } as const),
    ...{ byAddress: true, requiresKey: false },
  };
  const source = { name: 'none' as const, settings: { secrets: [], header: null } };
  const { routes } = createIngest({
    db,
    now: Date.now,
    operatorKey: null,
    channels: {
      apiChannel: () => Promise.resolve(null),
      find(name) {
        const project = projectOf(name);
        return Promise.resolve(project === null ? null : { ...common, source, project });
      },
    },
    assertValid: () => Promise.resolve(),
    decide: { hasRoom: decide.hasRoom, take: decide.take, leaseMs: LEASE_MS },
    metrics: { ingested: nothing, committed: nothing, storeFailed: nothing },
    report: nothing,
  });
  const app = createApp({
    routes,
    authenticate: () => Promise.resolve(null),
    projectExists: () => Promise.resolve(true),
    served: nothing,
    now: Date.now,
    isStopping: () => false,
    origin: 'http://bench',
  });
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
  });
  return (request, response) => void listener(request, response);
}
