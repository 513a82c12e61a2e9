/** Rules behind the app, as a process has it, for tests. */
import type { RuleDocument } from 'headgate';
import { createApp } from '../../src/api/app.js';
import type { Database } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import { createRules, type RuleParts, type Rules } from '../../src/rules/rules.js';

/** An answer whose JSON has been read. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** One process. */
export interface ServedRules {
  readonly db: Database;
  readonly rules: Rules;
  /** Requests `/projects/<project><path>` as somebody who may manage the project. */
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answered>;
  readonly fetch: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

/** Makes a project, and returns its id. */
export async function makeProject(db: Database, plan = 'scale', at = 1_700_000_000_000): Promise<string> {
  const id = newId(at);
  const settings = { name: 'Test', plan, retention_days: 30, auto_pause_days: null };
  await db.insert('projects', [
    { id, ...settings, rules_version: 0, log_position: 0, created_at: at, updated_at: at },
  ]);
  return id;
}

/** @param parts - Replaces those that tests need not care about. */
export function serveRules(db: Database, project: string, parts: Partial<RuleParts> = {}): ServedRules {
  const rules = createRules({ db, now: () => Date.now(), endpoints: () => Promise.resolve([]), ...parts });
  const principal = { project, scopes: new Set(['manage'] as const), actor: 'key:test', isSession: false };
  const app = createApp({
    routes: rules.routes,
    authenticate: () => Promise.resolve(principal),
    served: ({ error }) => {
      if (error !== undefined) console.error(error);
    },
    now: () => Date.now(),
    isStopping: () => false,
    projectExists: () => Promise.resolve(true),
  });
  const fetch: ServedRules['fetch'] = async (method, path, body, headers = {}) =>
    app.fetch(
      new Request(`http://host.test/projects/${project}${path}`, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && {
          body:
            typeof body === 'string' || body instanceof Uint8Array
              ? (body as BodyInit)
              : JSON.stringify(body),
        }),
      }),
    );
  const ask: ServedRules['ask'] = async (method, path, body, headers) => {
    const response = await fetch(method, path, body, headers);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  };
  return { db, rules, ask, fetch };
}

/** A rule that tags events of one type. */
export const tagRule = (name: string, priority = 0): RuleDocument => ({
  name,
  stage: 'deliver',
  match: { path: 'type', op: 'eq', value: name },
  action: { type: 'tag', tags: [name] },
  priority,
});
