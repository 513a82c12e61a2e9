/** Serves modules over fetch, with keys and projects, and without a port. */
import { createApp } from '../../src/api/app.js';
import type { BoundRoute } from '../../src/api/route.js';
import type { Database } from '../../src/db/index.js';
import { createKeys, type Keys } from '../../src/keys/keys.js';
import { createProjects, type Projects } from '../../src/projects/projects.js';

/** An instant to begin at: 2026-01-01. */
export const START = Date.UTC(2026, 0, 1);

/** A clock that tests move. */
export interface TestClock {
  readonly now: () => number;
  advance(ms: number): void;
}

export function testClock(at = START): TestClock {
  let time = at;
  return { now: () => time, advance: (ms) => void (time += ms) };
}

/** A request: a key goes into `Authorization`, a body is sent as JSON. */
export interface Sent {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that was read. */
export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A served API, with the means to call it. */
export interface Served {
  readonly db: Database;
  readonly clock: TestClock;
  readonly keys: Keys;
  readonly projects: Projects;
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Got>;
  /** A new project, and its first key. */
  readonly project: (name?: string) => Promise<{ readonly id: string; readonly key: string }>;
  /** Makes a key with some scopes. */
  readonly key: (project: string, ...scopes: readonly string[]) => Promise<{ id: string; key: string }>;
}

export const ADMIN_KEY = 'the key of the operator';
export const HOST = 'hooks.example.com';

/** @param modules - Makes the routes of further modules. */
export function serve(
  db: Database,
  modules: (parts: { readonly db: Database; readonly now: () => number }) => readonly BoundRoute[] = () => [],
  clock = testClock(),
): Served {
  const { now } = clock;
  const keys = createKeys({ db, now, adminKey: ADMIN_KEY, publicUrl: `https://${HOST}` });
  const projects = createProjects({
    ...{ db, now, firstKey: keys.firstKey },
    firstChannel: () => Promise.resolve(),
  });
  const app = createApp({
    routes: [...projects.routes, ...keys.routes, ...modules({ db, now })],
    authenticate: keys.authenticate,
    projectExists: projects.exists,
    served: () => undefined,
    now,
    isStopping: () => false,
  });
  const send: Served['send'] = async (method, path, { key, body, headers = {} } = {}) => {
    const response = await app.fetch(
      new Request(`http://${HOST}${path}`, {
        method,
        headers: {
          host: HOST,
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const { status } = response;
    return {
      status,
      headers: response.headers,
      text,
      body: text === '' ? {} : (JSON.parse(text) as Got['body']),
    };
  };
  return {
    db,
    clock,
    keys,
    projects,
    send,
    async project(name = 'Orders') {
      const settings = { name, plan: 'pro' as const, retention_days: 30, auto_pause_days: null };
      const { project, key } = await projects.create(settings, 'admin');
      return { id: project.id, key };
    },
    async key(project, ...scopes) {
      const body = { name: scopes.join(), scopes };
      const got = await send('POST', `/projects/${project}/keys`, { key: ADMIN_KEY, body });
      return got.body as { id: string; key: string };
    },
  };
}
