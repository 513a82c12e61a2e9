/** Errors of Postgres, and the codes of StoreError. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPostgresStore, OptionError, StoreError } from '../../../src/adapters/postgres/index.js';
import { storeErrorOf } from '../../../src/adapters/postgres/failure.js';
import { newDelivery } from '../../../src/delivery/index.js';
import { createFixture, createPool, type Fixture, quoted, schemaName } from './schema.js';

const coded = (code: string) => Object.assign(new Error('Detail: Key (secret)=(hunter2) exists'), { code });

describe('an error of the database, the driver or the network', () => {
  test.for([
    ...['08000', '08006', '57P01', '57P02', '57P03', '53300'].map((code) => [code, 'store_unreachable']),
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'].map(
      (code) => [code, 'store_unreachable'],
    ),
    ...['53100', '53200'].map((code) => [code, 'store_full']),
    ...['55P03', '40001', '40P01'].map((code) => [code, 'store_locked']),
    ...['42P01', '3F000', '42703'].map((code) => [code, 'store_outdated']),
    ...['42601', '25P02', '28P01', '22P02', '080', 'XX000', ''].map((code) => [code, 'store_failed']),
  ] as const)('%s is %s', ([code, expected]) => {
    const cause = coded(code!);
    const error = storeErrorOf(cause);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ name: 'StoreError', code: expected, cause });
    expect(error.message).not.toContain('hunter2');
  });

  test.for([
    ['timeout exceeded when trying to connect', 'store_unreachable'],
    ['Connection terminated due to connection timeout', 'store_unreachable'],
    ['Connection terminated unexpectedly', 'store_unreachable'],
    ['Client has encountered a connection error and is not queryable', 'store_unreachable'],
    ['Query read timeout', 'store_unreachable'],
    ['Cannot use a pool after calling end on the pool', 'store_failed'],
  ] as const)('without a code, "%s" of the driver is %s', ([message, expected]) => {
    expect(storeErrorOf(new Error(message)).code).toBe(expected);
  });

  test('that is no error, or is one of ours, is told all the same', () => {
    expect(storeErrorOf('gone')).toMatchObject({ code: 'store_failed', cause: 'gone' });
    expect(storeErrorOf(undefined).code).toBe('store_failed');
    const ours = new OptionError('invalid_option', 'x');
    expect(storeErrorOf(ours)).toBe(ours);
  });
});

describe('a store rejects', () => {
  let fixture: Fixture;
  beforeAll(async () => void (fixture = await createFixture()));
  afterAll(() => fixture.close());
  const dispatch = {
    body: Buffer.from('hunter2'),
    deliveries: [newDelivery({ id: 'hunter2', type: 'x' }, 'a', { at: 1 })],
  };
  const everything = { lease: 'l', at: 9, until: 99, limit: 9, perEndpoint: 9, inFlight: new Map() };

  test('before its tables are there, with what to do about it', async () => {
    const store = createPostgresStore({ pool: fixture.pool, schema: schemaName() });
    const expected = { code: 'store_outdated', message: expect.stringContaining('migrate()') };
    for (const call of [
      () => store.enqueue([dispatch]),
      () => store.claim(everything),
      () => store.settle([]),
      () => store.get('evt_1:a'),
      () => store.deadLetters.count({}),
      () => store.deleteFinished({ before: 1 }),
    ]) {
      await expect(call()).rejects.toMatchObject(expected);
    }
  });

  test('where nobody listens, and works again once somebody does', async () => {
    const url = new URL(String(fixture.pool.options.connectionString));
    const options = {
      host: '127.0.0.1',
      port: 1,
      database: 'postgres',
      user: url.username,
      password: url.password,
    };
    const pool = new pg.Pool(options);
    const store = createPostgresStore({ pool, schema: fixture.schema });
    await expect(store.claim(everything)).rejects.toMatchObject({ code: 'store_unreachable' });
    await expect(store.migrate()).rejects.toMatchObject({ code: 'store_unreachable' });
    pool.options.port = Number(url.port);
    pool.options.host = url.hostname;
    expect((await store.claim(everything)).claims).toEqual([]);
    await pool.end();
  });

  test('when its session is ended in the middle, and the next call gets another', async () => {
    const pool = createPool({ max: 1 });
    const store = createPostgresStore({ pool, schema: fixture.schema });
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { pid } = rows[0]!;
    const host = await fixture.pool.connect();
    await host.query('begin');
    await store.enqueue([dispatch], host);
    const waiting = store.enqueue([dispatch]);
    const ended = expect(waiting).rejects.toMatchObject({ code: 'store_unreachable' });
    await untilWaiting(pid);
    await host.query('select pg_terminate_backend($1)', [pid]);
    await ended;
    await host.query('rollback');
    host.release();
    expect(await store.enqueue([dispatch])).toBe(1);
    await pool.end();
  });

  test('what is locked for longer than the host lets it wait; nothing has happened then', async () => {
    const pool = createPool({ options: '-c lock_timeout=50ms' });
    const store = createPostgresStore({ pool, schema: fixture.schema });
    const other = { ...dispatch, deliveries: [newDelivery({ id: 'hunter2', type: 'x' }, 'b', { at: 1 })] };
    const host = await fixture.pool.connect();
    await host.query(`begin; lock table ${quoted(fixture.schema)}.deliveries in access exclusive mode`);
    await expect(store.enqueue([other])).rejects.toMatchObject({
      code: 'store_locked',
      message: expect.not.stringContaining('hunter2'),
    });
    await host.query('rollback');
    host.release();
    expect(await store.get('hunter2:b')).toBeNull();
    await pool.end();
  });

  async function untilWaiting(pid: number): Promise<void> {
    const text = 'select from pg_stat_activity where pid = $1 and wait_event_type = $2';
    while ((await fixture.pool.query(text, [pid, 'Lock'])).rowCount === 0);
  }
});
