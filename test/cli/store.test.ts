/** Commands on stores, in a file and in a real Postgres. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgresStore } from '../../src/adapters/postgres/index.js';
import { createSqliteStore } from '../../src/adapters/sqlite/index.js';
import { loadPostgresDriver } from '../../src/cli/store/postgres-driver.js';
import {
  type AttemptOutcome,
  type DeliveryStore,
  newDelivery,
  transition,
} from '../../src/delivery/index.js';
import { createPool, quoted } from '../adapters/postgres/schema.js';
import { connect, newPath } from '../adapters/sqlite/files.js';
import { headgate, NOW, objectsIn, type Surroundings } from './session.js';

const DAY_MS = 86_400_000;
const REFUSED: AttemptOutcome = {
  ok: false,
  failure: 'http_status',
  status: 500,
  transient: true,
  detail: 'no \u001b[2J',
};

/** Adds a delivery whose only attempt ended this many days ago. */
async function attempt(
  store: DeliveryStore,
  id: string,
  daysAgo: number,
  outcome: AttemptOutcome,
): Promise<void> {
  const at = NOW - daysAgo * DAY_MS;
  const fresh = newDelivery({ id, type: id === 'evt_3' ? 'pay' : 'ping' }, id === 'evt_1' ? 'a' : 'b', {
    at,
  });
  await store.enqueue([{ body: new TextEncoder().encode('{}'), deliveries: [fresh] }]);
  const lease = crypto.randomUUID();
  const request = {
    lease,
    at,
    until: at + 30_000,
    limit: 1,
    perEndpoint: 1,
    inFlight: new Map<string, number>(),
  };
  const [claim] = (await store.claim(request)).claims;
  const policy = { retry_max_attempts: 1, retry_backoff_base_seconds: 1 };
  const made = { started_at: at, ended_at: at, outcome };
  const after = transition(claim!.delivery, { type: 'attempt', lease, policy, attempt: made });
  if (!after.ok) throw new Error(after.reason);
  await store.settle([{ lease, delivery: after.delivery, attempt: after.delivery.last_attempt }]);
}

/** Three dead letters, of three, two and one days ago, and a success of four days ago. */
async function fill(store: DeliveryStore): Promise<void> {
  await attempt(store, 'evt_0', 4, { ok: true, status: 200 });
  for (const [nth, id] of ['evt_1', 'evt_2', 'evt_3'].entries()) await attempt(store, id, 3 - nth, REFUSED);
}

/**
 * Words that name a store which `headgate migrate` has made and that is filled; the store itself does not stay open.
 */
async function sqlite(): Promise<readonly string[]> {
  const path = newPath();
  expect(await headgate(['migrate', path])).toEqual({ code: 0, out: '', err: 'the tables are up to date\n' });
  const store = createSqliteStore({ path });
  await fill(store);
  store.close();
  return [path];
}

async function postgres(): Promise<readonly string[]> {
  const schema = `headgate_cli_${crypto.randomUUID()}`;
  const words = [inject('postgres'), '--schema', schema];
  const pool = createPool();
  onTestFinished(async () => {
    await pool.query(`drop schema if exists ${quoted(schema)} cascade`);
    await pool.end();
  });
  expect(await headgate(['migrate', ...words])).toEqual({
    code: 0,
    out: '',
    err: 'the tables are up to date\n',
  });
  await fill(createPostgresStore({ pool, schema }));
  return words;
}

describe.each([
  { kind: 'a file', create: sqlite },
  { kind: 'Postgres', create: postgres },
])('a store in $kind', ({ create }) => {
  test('lists and counts its dead letters, by conditions', async () => {
    const words = await create();
    const { code, out, err } = await headgate(['dead-letters', 'list', ...words]);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'FAILED                    DELIVERY  TYPE  ATTEMPTS  REASON',
      '2026-01-30T12:00:00.000Z  evt_3:b   pay   1         500 no \\u001b[2J',
      '2026-01-29T12:00:00.000Z  evt_2:b   ping  1         500 no \\u001b[2J',
      '2026-01-28T12:00:00.000Z  evt_1:a   ping  1         500 no \\u001b[2J',
      '',
    ]);
    expect(err).toBe('3 dead letters\n');
    const first = await headgate(['dead-letters', 'list', ...words, '--limit', '2', '--json']);
    expect(objectsIn(first.out)).toEqual([
      expect.objectContaining({ id: 'evt_3:b' }),
      expect.objectContaining({ id: 'evt_2:b' }),
    ]);
    expect(first.err).toBe('2 dead letters; there are more: give a higher --limit\n');
    const counted = async (...conditions: readonly string[]): Promise<string> =>
      (await headgate(['dead-letters', 'count', ...words, ...conditions])).out;
    expect(await counted()).toBe('3\n');
    expect(await counted('--endpoint', 'b')).toBe('2\n');
    expect(await counted('--type', 'pay', '--json')).toBe('{"count":1}\n');
    expect(await counted('--from', '2026-01-29', '--before', '2026-01-30')).toBe('1\n');
    expect(await counted('--id', 'evt_1:a', '--id', 'evt_3:b')).toBe('2\n');
  });

  test('sends dead letters again, once for an action', async () => {
    const words = await create();
    const redeliver = (...more: readonly string[]) =>
      headgate(['dead-letters', 'redeliver', ...words, ...more]);
    const one = await redeliver('--endpoint', 'a', '--action', 'again');
    expect(one).toEqual({ code: 0, out: '1 delivery is due again\n', err: 'action again\n' });
    expect((await redeliver('--endpoint', 'a', '--action', 'again')).out).toBe(
      '0 deliveries are due again\n',
    );
    const all = await redeliver('--all', '--json');
    expect(objectsIn(all.out)).toEqual([
      { redelivered: 2, action: expect.stringMatching(/^cli-[\w-]{12}$/) as string },
    ]);
  });

  test('deletes what is finished and old, and keeps its dead letters', async () => {
    const words = await create();
    const delete_ = async (...more: readonly string[]): Promise<unknown> =>
      objectsIn((await headgate(['retention', ...words, '--json', ...more])).out)[0];
    expect(await delete_('--older-than', '5d')).toMatchObject({ deliveries: 0 });
    expect(await delete_('--older-than', '3.5d')).toEqual({
      before: '2026-01-28T00:00:00.000Z',
      deliveries: 1,
      bodies: 1,
    });
    expect(await delete_('--before', '2026-01-31')).toMatchObject({ deliveries: 0 });
    const { out } = await headgate(['retention', ...words, '--before', '2026-01-31', '--batch', '1']);
    expect(out).toBe('deleted 0 deliveries and 0 bodies\n');
  });
});

describe('an address', () => {
  test('may be set in the environment', async () => {
    const path = newPath();
    const env = { HEADGATE_STORE: path };
    expect(await headgate(['migrate', '--json'], { env })).toEqual({
      code: 0,
      out: '{"migrated":true}\n',
      err: '',
    });
    expect(existsSync(path)).toBe(true);
    expect((await headgate(['dead-letters', 'count'], { env })).out).toBe('0\n');
  });

  const refused = async (args: readonly string[], surroundings?: Surroundings): Promise<string> => {
    const { code, out, err } = await headgate(args, surroundings);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    return err;
  };

  test('of another database is refused, and nothing is made in it', async () => {
    const path = newPath();
    const database = connect(path);
    database.exec('create table orders (id integer)');
    const says = await refused(['retention', path, '--older-than', '1d']);
    expect(says).toContain('has no tables of headgate');
    expect(database.prepare('select name from sqlite_master').all()).toMatchObject([{ name: 'orders' }]);
  });

  test('of a file that is no database is refused', async () => {
    expect(
      await refused(['dead-letters', 'count', 'x.db'], { files: { 'x.db': 'hello '.repeat(200) } }),
    ).toContain('not a database');
  });

  test('of a Postgres without tables says what to do', async () => {
    const says = await refused(['dead-letters', 'count', inject('postgres'), '--schema', 'nobody']);
    expect(says).toContain('The tables are not there');
    expect(says).toContain('run headgate migrate');
  });

  test('of a Postgres that does not answer says so, without the password', async () => {
    const says = await refused(['migrate', 'postgres://me:hush@127.0.0.1:1/db']);
    expect(says).toContain('Postgres cannot be reached');
    expect(says).not.toContain('hush');
  });
});

test('without pg, a store in Postgres says what to install', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-no-pg-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(() => loadPostgresDriver([folder])).toThrow('npm install pg');
  expect(loadPostgresDriver([folder, process.cwd()]).Pool).toBeTypeOf('function');
});
