/**
 * A host in this process with two projects, each of which has one of everything, and secrets that must never be seen.
 */
import { expect, onTestFinished } from 'vitest';
import type { RouteDefinition, Scope } from '../../src/api/route.js';
import { SCOPES } from '../../src/api/route.js';
import type { Database } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import { createHost, type Host } from '../../src/host.js';
import { readConfig } from '../../src/runtime/config.js';
import { createLog } from '../../src/runtime/log.js';

export const ORIGIN = 'https://hooks.example.com';
export const OPERATOR_KEY = 'canary-operator-key-0123456789-0123456789';
const SEALING_KEY = new Uint8Array(32).fill(7);
const SETTINGS = readConfig({
  HEADGATE_ADMIN_KEY: OPERATOR_KEY,
  HEADGATE_ALLOW: '127.0.0.0/8',
});
/** Nobody listens there, so every attempt fails at once. */
const NOBODY = 'http://127.0.0.1:9';

/** An answer that was read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Everything that a project has: one of each, by the names that the paths of the table use. */
export interface Furnished {
  readonly ids: Readonly<Record<string, string>>;
  /** A key for each scope alone, one for all of them, and a revoked one. */
  readonly keys: Readonly<Record<Scope | 'all' | 'revoked', string>>;
  /** The cookie of a session. */
  readonly cookie: string;
  /** Texts that nobody may see but by the routes that show them once. */
  readonly secrets: readonly string[];
  /** Texts that only this project may see. */
  readonly own: readonly string[];
}

/** A host with two projects. Its loops have stopped, so that nothing changes by itself; routes answer as ever. */
export interface Estate {
  readonly host: Host;
  readonly db: Database;
  readonly ours: Furnished;
  readonly theirs: Furnished;
  readonly send: (method: string, path: string, init?: RequestInit & { key?: string }) => Promise<Answer>;
  /** The lines of the log so far. */
  readonly log: string[];
}

type Send = Estate['send'];

/** @param runs - True if events are decided and delivered as ever. */
export async function estateOn(db: Database, runs = false): Promise<Estate> {
  const log: string[] = [];
  const parts = {
    ...{ db, settings: SETTINGS, publicUrl: ORIGIN, sealingKeys: [{ id: 'test', key: SEALING_KEY }] },
    log: createLog('trace', { write: (line: string) => void log.push(line) }),
  };
  const first = createHost(parts);
  first.start();
  const [ours, theirs] = await Promise.all([
    furnish(sender(first), db, 'ours'),
    furnish(sender(first), db, 'theirs'),
  ]);
  if (!runs) await first.stop();
  const host = runs ? first : createHost(parts);
  onTestFinished(() => host.stop());
  return { host, db, ours, theirs, log, send: sender(host) };
}

const sender =
  (host: Host): Send =>
  async (method, path, { key, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    if (init.body !== undefined && !headers.has('content-type')) {
      headers.set('content-type', 'application/json');
    }
    headers.set('host', 'hooks.example.com');
    const response = await host.fetch(new Request(ORIGIN + path, { ...init, method, headers }));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

/** Parameters that are numbers instead of ids: each delivery has an attempt 1. */
export const ORDINALS: Readonly<Record<string, string>> = { attempt: '1' };

/** A path of the table with ids in it. */
export const filled = ({ path }: RouteDefinition, ids: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name] ?? ORDINALS[name];
    if (id === undefined) throw new Error(`the estate has no ${name}: give each project one`);
    return encodeURIComponent(id);
  });

/** A project with one of everything. Events must be decided and delivered. */
export async function furnish(send: Send, db: Database, who: string): Promise<Furnished> {
  const canary = (what: string): string => `canary-${who}-${what}`;
  let key = OPERATOR_KEY;
  const call = async <Of = Record<string, string>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Of> => {
    const { status, text } = await send(method, path, {
      key,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Of;
  };
  const settings = { name: canary('project'), plan: 'scale' };
  const made = await call<{ project: { id: string }; key: string }>('POST', '/projects', settings);
  key = made.key;
  const project = made.project.id;
  const under = `/projects/${project}`;
  const keys: Record<string, string> = { all: key };
  let id = '';
  for (const scope of [...SCOPES, 'revoked'] as const) {
    const scopes = scope === 'revoked' ? SCOPES : [scope];
    const one = await call('POST', `${under}/keys`, { name: canary(`key-${scope}`), scopes });
    keys[scope] = one.key ?? '';
    if (scope === 'revoked') await call('DELETE', `${under}/keys/${one.id}`);
    if (scope === 'receive') id = one.id ?? '';
  }
  const signedIn = await send('POST', '/session', { body: JSON.stringify({ key }) });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const token = canary('source-token');
  const channel = await call('POST', `${under}/channels`, {
    name: canary('channel'),
    source: { name: 'token', secrets: [token], header: 'x-token' },
  });
  await call('POST', `${under}/channels/${channel.id}/secrets`);
  interface Secrets {
    readonly items: readonly { readonly id: string; readonly secret: string }[];
  }
  const { items } = await call<Secrets>('GET', `${under}/channels/${channel.id}/secrets`);
  const endpoint = await call('POST', `${under}/endpoints`, {
    name: canary('endpoint'),
    url: `${NOBODY}/${canary('path')}?token=${canary('url')}`,
    retry_max_attempts: 1,
  });
  const receiver = await call('POST', `${under}/receivers`, { name: canary('receiver') });
  const received = await send('POST', new URL(receiver.url ?? '').pathname, { body: canary('received') });
  expect(received.status).toBe(200);
  const type = await call('POST', `${under}/event-types`, {
    name: canary('type'),
    description: canary('description'),
    schema: { type: 'object', title: canary('schema') },
    example: { text: canary('example') },
  });
  const rule = await call('POST', `${under}/rules`, {
    name: canary('rule'),
    stage: 'deliver',
    match: { path: 'data.body.text', op: 'eq', value: canary('data') },
    action: { type: 'tag', tags: [canary('tag')] },
    priority: 10,
  });
  const arrived = await send('POST', `/in/${channel.address}`, {
    body: JSON.stringify({ text: canary('data') }),
    headers: { 'x-token': token },
  });
  const event = (JSON.parse(arrived.text) as { id: string }).id;
  const dead = async (): Promise<readonly { readonly id: string }[]> =>
    (await call<{ items: { id: string }[] }>('GET', `${under}/dead-letters`)).items;
  await expect.poll(dead, { timeout: 240_000 }).toHaveLength(1);
  const bulk = await call<{ redelivery: { id: string } }>('POST', `${under}/dead-letters/redeliver`, {
    filter: {},
  });
  const { id: redelivery } = bulk.redelivery;
  const state = async () => (await call('GET', `${under}/redeliveries/${redelivery}`)).state;
  await expect.poll(state, { timeout: 240_000 }).toBe('done');
  await expect.poll(dead, { timeout: 240_000 }).toHaveLength(1);
  const [letter] = await dead();
  const { replay } = await call<{ replay: { id: string } }>('POST', `${under}/replays`, { filter: {} });
  const comparison = await call('POST', `${under}/comparisons`, { window_hours: 1, rules: [] });
  const at = Date.now();
  const client = canary('client');
  await db.insert('clients', [
    {
      project_id: project,
      name: client,
      position: 0,
      connection: null,
      connected_at: null,
      seen_at: at,
      created_at: at,
    },
  ]);
  const reply = { id: newId(at), project_id: project, event_id: event, client, reply_id: canary('reply') };
  await db.insert('replies', [{ ...reply, payload: `{"text":"${canary('payload')}"}`, received_at: at }]);
  // Alerts count dead letters some seconds later. From here on, nothing changes.
  const unsettled = async (): Promise<number> => {
    const failed = await db.all(`select 1 from {deliveries} where project_id = $1 and state = 'failed'`, [
      project,
    ]);
    const due = 'select signs from alerts where project_id = $1 and send_at is null';
    const [counted] = await db.all<{ readonly signs: number }>(due, [project]);
    const running = (await call('GET', `${under}/replays/${replay.id}`)).state === 'done' ? 0 : 1;
    return failed.length - (counted?.signs ?? 0) + running;
  };
  await expect.poll(unsettled, { timeout: 240_000 }).toBe(0);
  const alerts = await call<{ items: readonly { readonly id: string }[] }>('GET', `${under}/alerts`);
  const ids = {
    ...{
      project,
      key: id,
      channel: channel.id ?? '',
      secret: items[0]?.id ?? '',
      endpoint: endpoint.id ?? '',
    },
    ...{ receiver: receiver.id ?? '', token: receiver.url?.split('/').at(-1) ?? '' },
    ...{ type: type.name ?? '' },
    ...{ rule: rule.id ?? '', event, delivery: letter?.id ?? '', redelivery, replay: replay.id, client },
    ...{ comparison: comparison.id ?? '', alert: alerts.items[0]?.id ?? '' },
  };
  return {
    ids,
    keys: keys as Furnished['keys'],
    cookie,
    secrets: [
      ...Object.values(keys),
      ...[cookie.split('=')[1] ?? '', token],
      ...items.map(({ secret }) => secret),
      ...items.map(({ secret }) => secret.replace('whsec_', '')),
    ],
    own: [...Object.values(ids), channel.address ?? '', `canary-${who}`],
  };
}

/** All tables of the host. */
const TABLES = {
  sqlite: "select name from sqlite_master where type = 'table' order by name",
  postgres:
    'select table_name as name from information_schema.tables where table_schema = current_schema() order by 1',
} as const;

/** All rows of all tables, as texts. The time at which a key was last used says nothing of what a request did. */
export async function allRows(db: Database): Promise<readonly string[]> {
  const tables = await db.all<{ name: string }>(TABLES);
  const rows: string[] = [];
  for (const { name } of tables) {
    if (name === 'leases' || name.startsWith('sqlite_')) continue;
    const all = await db.all(`select * from ${name}`);
    rows.push(...all.map(({ last_used_at: _, ...row }) => `${name} ${JSON.stringify(row)}`));
  }
  return rows.sort();
}
