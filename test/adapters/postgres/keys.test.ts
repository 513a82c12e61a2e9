/** Ordering keys in Postgres: what is run for them, and what happens when transactions meet. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type pg from 'pg';
import {
  createPostgresStore,
  postgresMigrations,
  type PostgresStore,
} from '../../../src/adapters/postgres/index.js';
import {
  type Claim,
  type Delivery,
  newDelivery,
  type RetryPolicy,
  type Settlement,
  transition,
} from '../../../src/delivery/index.js';
import { createFixture, createPool, type Fixture, quoted, schemaName } from './schema.js';

const NOW = 1_700_000_000_000;
const BODY = new TextEncoder().encode('{}');

const keyed = (event: string, key: string | null = 'k', endpoint = 'a'): Delivery =>
  newDelivery({ id: event, type: 'x' }, endpoint, { at: NOW, orderingKey: key });
const dispatchesOf = (...deliveries: readonly Delivery[]) =>
  deliveries.map((one) => ({ body: BODY, deliveries: [one] }));

let tokens = 0;
async function claim(store: PostgresStore): Promise<readonly Claim[]> {
  const [lease, until] = [`lease ${++tokens}`, NOW + 30_000];
  const request = { lease, at: NOW, until, limit: 100, perEndpoint: 100, inFlight: new Map() };
  return (await store.claim(request)).claims;
}

const once: RetryPolicy = { retry_max_attempts: 1, retry_backoff_base_seconds: 1 };
function ended({ delivery }: Claim, ok = true, policy = once): Settlement {
  const lease = delivery.lease!;
  const outcome = ok
    ? ({ ok, status: 204 } as const)
    : ({ ok, failure: 'timeout', transient: true, detail: '' } as const);
  const attempt = { started_at: NOW, ended_at: NOW, outcome };
  const after = transition(delivery, { type: 'attempt', lease, attempt, policy });
  if (!after.ok) throw new Error(after.reason);
  return { lease, delivery: after.delivery, attempt: after.delivery.last_attempt };
}

const eventsOf = (claims: readonly Claim[]): readonly string[] =>
  claims.map(({ delivery }) => delivery.event_id);

/** The names of the statements that a pool is asked to run, with those of transactions. */
function noting(pool: pg.Pool, names: string[]): pg.Pool {
  const named = ({ name, text }: pg.QueryConfig): string => name?.split('_')[1] ?? text.trim().split(' ')[0]!;
  const query = (one: pg.Pool | pg.PoolClient) => (given: pg.QueryConfig) => {
    names.push(named(given));
    return one.query(given);
  };
  const connect = async () => {
    const client = await pool.connect();
    return Object.assign(Object.create(client) as pg.PoolClient, { query: query(client) });
  };
  return Object.assign(Object.create(pool) as pg.Pool, { query: query(pool), connect });
}

let fixture: Fixture;
let store: PostgresStore;
beforeAll(async () => void (fixture = await createFixture()));
afterAll(() => fixture.close());
beforeEach(async () => {
  store = fixture.store;
  const tables = ['deliveries', 'bodies', 'attempts', 'key_holders'];
  await fixture.pool.query(`truncate ${tables.map((name) => `${quoted(fixture.schema)}.${name}`).join()}`);
});

const holders = async (): Promise<readonly string[]> => {
  const { rows } = await fixture.pool.query(
    `select holder from ${quoted(fixture.schema)}.key_holders order by holder`,
  );
  return (rows as { holder: string }[]).map(({ holder }) => holder);
};

/** A transaction of a host, left open by `work`, but not for longer than the test takes. */
async function begun<T>(work: (client: pg.PoolClient) => Promise<T>) {
  const client = await fixture.pool.connect();
  let isOpen = true;
  const end = async (how: 'commit' | 'rollback'): Promise<void> => {
    if (isOpen) await client.query(how);
    if (isOpen) client.release();
    isOpen = false;
  };
  onTestFinished(() => end('rollback'));
  await client.query('begin');
  const result = await work(client);
  return { result, end };
}

/** The elements in another order for each of 30 numbers. */
const shuffled = <T>(list: readonly T[], by: number): readonly T[] =>
  list
    .map((one, i) => ({ one, at: ((i + 1) * ((by % 30) + 1)) % 31 }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

/** Whether a call is still waiting after a while. */
async function isWaiting(call: Promise<unknown>): Promise<boolean> {
  const wait = new Promise((resolve) => setTimeout(() => resolve('waiting'), 200));
  return (await Promise.race([call, wait])) === 'waiting';
}

test('without keys, an enqueue and a settlement are one statement each; with keys, a few more', async () => {
  const names: string[] = [];
  const noted = createPostgresStore({ pool: noting(fixture.pool, names), schema: fixture.schema });
  const taken = (): readonly string[] => names.splice(0);
  await noted.enqueue(dispatchesOf(keyed('evt_1', null), keyed('evt_2', null)));
  expect(taken()).toEqual(['enqueue']);
  const plain = await claim(noted);
  expect(taken()).toEqual(['read', 'lease']);
  await noted.settle(plain.map((one) => ended(one)));
  expect(taken()).toEqual(['settle']);

  await noted.enqueue(dispatchesOf(keyed('evt_3'), keyed('evt_4'), keyed('evt_5', 'l')));
  expect(taken()).toEqual(['begin', 'takeKeys', 'enqueueWithKeys', 'commit']);
  const ordered = await claim(noted);
  expect(taken()).toEqual(['read', 'lease']);
  await noted.settle(ordered.map((one) => ended(one)));
  expect(taken()).toEqual(['begin', 'lockKeys', 'settle', 'passKeys', 'commit']);
  const hold = { ...once, on_exhausted: 'hold' } as const;
  const next = await claim(noted);
  taken();
  await noted.settle(next.map((one) => ended(one, true, { ...once, retry_max_attempts: 2 })));
  expect(taken()).toEqual(['begin', 'lockKeys', 'settle', 'passKeys', 'commit']);
  await noted.enqueue(dispatchesOf(keyed('evt_6')));
  const held = await claim(noted);
  taken();
  await noted.settle(held.map((one) => ended(one, false, hold)));
  expect(taken()).toEqual(['begin', 'lockKeys', 'settle', 'hold', 'commit']);
  expect(await holders()).toEqual(['evt_6:a']);
});

test('a key that is idle leaves no row', async () => {
  await store.enqueue(dispatchesOf(keyed('evt_1'), keyed('evt_2'), keyed('evt_3', 'l')));
  expect(await holders()).toEqual(['evt_1:a', 'evt_3:a']);
  await store.settle((await claim(store)).map((one) => ended(one)));
  expect(await holders()).toEqual(['evt_2:a']);
  await store.settle((await claim(store)).map((one) => ended(one, false)));
  expect(await holders()).toEqual([]);
});

test('a delivery that is enqueued again with another key does not hold that one', async () => {
  await store.enqueue(dispatchesOf(keyed('evt_1')));
  expect(await store.enqueue(dispatchesOf(keyed('evt_1', 'l'), keyed('evt_2', 'l')))).toBe(1);
  expect(eventsOf(await claim(store)).toSorted()).toEqual(['evt_1', 'evt_2']);
  expect(await holders()).toEqual(['evt_1:a', 'evt_2:a']);
});

test('an endpoint and a key that are too long for an index are refused, and lock nothing', async () => {
  const long = keyed('evt_1', 'x'.repeat(256), 'y'.repeat(2_400));
  const { result, end } = await begun(async (client) => {
    const refused = { name: 'OptionError', code: 'invalid_option' };
    await expect(store.enqueue(dispatchesOf(long), client)).rejects.toMatchObject(refused);
    return await store.enqueue(dispatchesOf(keyed('evt_2')), client);
  });
  await end('commit');
  expect([result, await holders()]).toEqual([1, ['evt_2:a']]);
});

describe('when transactions meet', () => {
  test('a settlement waits for an enqueue, and lets its delivery go', async () => {
    await store.enqueue(dispatchesOf(keyed('evt_1')));
    const claims = await claim(store);
    const { end } = await begun((client) => store.enqueue(dispatchesOf(keyed('evt_2')), client));
    const settled = store.settle(claims.map((one) => ended(one)));
    expect(await isWaiting(settled)).toBe(true);
    await end('commit');
    expect(await settled).toEqual([true]);
    expect(eventsOf(await claim(store))).toEqual(['evt_2']);
  });

  test('an enqueue waits for a settlement, and its delivery does not wait', async () => {
    await store.enqueue(dispatchesOf(keyed('evt_1')));
    const claims = await claim(store);
    const { end } = await begun((client) =>
      store.settle(
        claims.map((one) => ended(one)),
        client,
      ),
    );
    const added = store.enqueue(dispatchesOf(keyed('evt_2')));
    expect(await isWaiting(added)).toBe(true);
    await end('commit');
    expect(await added).toBe(1);
    expect(eventsOf(await claim(store))).toEqual(['evt_2']);
  });

  test.each(['commit', 'rollback'] as const)('an enqueue waits for another, until its %s', async (how) => {
    const { end } = await begun((client) => store.enqueue(dispatchesOf(keyed('evt_1')), client));
    const added = store.enqueue(dispatchesOf(keyed('evt_2')));
    expect(await isWaiting(added)).toBe(true);
    await end(how);
    expect(await added).toBe(1);
    expect(eventsOf(await claim(store))).toEqual([how === 'commit' ? 'evt_1' : 'evt_2']);
  });

  test('a deletion waits for an enqueue, and lets its delivery go', async () => {
    await store.enqueue(dispatchesOf(keyed('evt_1'), keyed('evt_2')));
    const { end } = await begun((client) => store.enqueue(dispatchesOf(keyed('evt_3')), client));
    const deleted = store.deleteDeliveries(['evt_1:a', 'evt_2:a'], { unfinished: true });
    expect(await isWaiting(deleted)).toBe(true);
    await end('commit');
    expect(await deleted).toHaveLength(2);
    expect(eventsOf(await claim(store))).toEqual(['evt_3']);
  });

  test('a discard waits for an enqueue, and lets its delivery go', async () => {
    await store.enqueue(dispatchesOf(keyed('evt_1')));
    const hold = { ...once, on_exhausted: 'hold' } as const;
    await store.settle((await claim(store)).map((one) => ended(one, false, hold)));
    const { end } = await begun((client) => store.enqueue(dispatchesOf(keyed('evt_2')), client));
    const discarded = store.deadLetters.discard({ all: true });
    expect(await isWaiting(discarded)).toBe(true);
    await end('commit');
    expect(await discarded).toBe(1);
    expect(eventsOf(await claim(store))).toEqual(['evt_2']);
  });

  test('batches with the same keys in any order do not deadlock, and nothing is stuck', async () => {
    const pool = createPool({ max: 8 });
    const one = createPostgresStore({ pool, schema: fixture.schema });
    const keys = Array.from({ length: 30 }, (_, n) => `key ${(n * 7) % 30}`);
    let done = 0;
    const work = async (): Promise<void> => {
      const claims = await claim(one);
      await one.settle(shuffled(claims, done).map((two) => ended(two, done % 3 > 0)));
      done += claims.length;
    };
    for (let round = 0; round < 15; round++) {
      const batch = (name: 'one' | 'three'): readonly Delivery[] =>
        shuffled(keys, round + name.length).map((key) => keyed(`${name} ${round} ${key}`, key));
      const gone = batch('one')
        .slice(0, 5)
        .map(({ id }) => id);
      await Promise.all([
        ...[one.enqueue(dispatchesOf(...batch('one'))), one.enqueue(dispatchesOf(...batch('three')))],
        ...[work(), work(), one.deadLetters.discard({ all: true })],
        one.deleteDeliveries(gone, { unfinished: true }),
      ]);
    }
    for (let before = -1; before < done;) {
      before = done;
      await work();
    }
    const states = await pool.query(
      `select state from ${quoted(fixture.schema)}.deliveries where finished_at is null group by state`,
    );
    expect([states.rows, await holders()]).toEqual([[], []]);
    await pool.end();
  });
});

test('tables of version 5 are brought up to date, with what is in them', async () => {
  const schema = schemaName();
  const { pool } = fixture;
  for (const { sql } of postgresMigrations(schema).slice(0, 5)) await pool.query(`begin; ${sql}; commit`);
  await pool.query(`
    insert into ${quoted(schema)}.bodies (created_at, event_id, digest, bytes) values (1, 'evt', '', '{}');
    insert into ${quoted(schema)}.deliveries
      (id, state, due_at, event_id, event_type, endpoint_id, origin, created_at, body)
    select 'evt:a', 'pending', ${NOW}, 'evt', 'x', 'a', 'live', ${NOW}, id from ${quoted(schema)}.bodies`);
  const upgraded = createPostgresStore({ pool, schema });
  await upgraded.migrate();
  await upgraded.enqueue(dispatchesOf(keyed('evt_1'), keyed('evt_2')));
  const claims = await claim(upgraded);
  expect(eventsOf(claims).toSorted()).toEqual(['evt', 'evt_1']);
  await upgraded.settle(claims.map((one) => ended(one)));
  expect(eventsOf(await claim(upgraded))).toEqual(['evt_2']);
  await pool.query(`drop schema ${quoted(schema)} cascade`);
});
