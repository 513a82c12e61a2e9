/** Options of the Postgres store. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPostgresStore,
  postgresMigrations,
  type PostgresStoreOptions,
} from '../../../src/adapters/postgres/index.js';
import { newDelivery } from '../../../src/delivery/index.js';
import { createPool, schemaName } from './schema.js';

let pool: pg.Pool;
beforeAll(() => void (pool = createPool()));
afterAll(() => pool.end());

const refusal = (message: RegExp) =>
  expect.objectContaining({
    name: 'OptionError',
    code: 'invalid_option',
    message: expect.stringMatching(message),
  });
/** The members by which the function of postgres.js is known. */
const postgresJs = () =>
  Object.assign(() => Promise.resolve([]), { unsafe: () => [], begin: () => [], end: () => [] });
/** An option of `pg` that its types do not have. */
const BINARY = { binary: true };
const CONNECTION_STRING = 'postgres://user:secret@db/x';

describe('createPostgresStore refuses', () => {
  test.for<readonly [name: string, options: (real: pg.Pool) => unknown, message: RegExp]>([
    [
      'nothing',
      () => undefined,
      /one object of options \(pool, schema, prepare, columns, onEnqueue, onSettle, keepUrl, keepExchange, readBodies\), not undefined$/,
    ],
    ['a pool alone', (real) => real, /createPostgresStore has no option _events/],
    ['no pool, but a schema', () => ({ schema: 'x' }), /pool is undefined: give a Pool of pg/],
    [
      'a connection string as the pool',
      () => ({ pool: CONNECTION_STRING }),
      /pool is a string: give a Pool of pg/,
    ],
    [
      'the settings of a pool',
      () => ({ pool: { connectionString: CONNECTION_STRING } }),
      /pool is an object without query\(\) and connect\(\): give a Pool/,
    ],
    [
      'the sql function of postgres.js',
      () => ({ pool: postgresJs() }),
      /pool is the sql function of postgres\.js.*npm install pg, and give a Pool of pg/,
    ],
    ['the class of pools', () => ({ pool: pg.Pool }), /pool is a function: give a Pool/],
    [
      'a promise of a pool',
      (real) => ({ pool: Promise.resolve(real) }),
      /pool is a promise \(is an await missing\?\).*: give a Pool/,
    ],
    [
      'a single connection',
      () => ({ pool: new pg.Client(CONNECTION_STRING) }),
      /pool is a single connection: give a Pool/,
    ],
    [
      'a pool of connections with binary results',
      () => ({ pool: new pg.Pool({ connectionString: CONNECTION_STRING, ...BINARY }) }),
      /pool has binary: true, with which pg garbles integers: give one without/,
    ],
    [
      'a connection string beside the pool',
      (real) => ({ pool: real, connectionString: CONNECTION_STRING }),
      /has no option connectionString: give some of pool, schema/,
    ],
    [
      'a prepare that is no flag',
      (real) => ({ pool: real, prepare: 'false' }),
      /prepare is a string: give true or/,
    ],
    ['a schema that is no text', (real) => ({ pool: real, schema: 7 }), /schema is 7: give text/],
    ['a schema of null', (real) => ({ pool: real, schema: null }), /schema is null: give text/],
    ["a schema of Postgres's own", (real) => ({ pool: real, schema: 'pg_x' }), /schema: give a name/],
  ])('%s', ([, options, message]) => {
    const create = () => createPostgresStore(options(pool) as PostgresStoreOptions);
    expect(create).toThrow(refusal(message));
    expect(create).not.toThrow(/secret/);
  });
});

test('a connection on loan is no pool', async () => {
  const client = await pool.connect();
  expect(() => createPostgresStore({ pool: client as never })).toThrow(refusal(/single connection/));
  client.release();
});

test('a connection with binary results is refused, since pg decodes them as text', async () => {
  const binary = createPool({ max: 1, ...BINARY });
  const { rows } = await binary.query<{ number: unknown }>('select 255 as number where $1', [true]);
  expect(rows[0]?.number, 'when pg reads it as 255, the store can take such connections').not.toBe(255);
  const client = await binary.connect();
  const settling = createPostgresStore({ pool, schema: schemaName() }).settle([], client);
  await expect(settling).rejects.toThrow(refusal(/client has binary: true/));
  client.release();
  await binary.end();
});

test('migrate takes nothing, and makes nothing where it is given something', async () => {
  const store = createPostgresStore({ pool, schema: schemaName() });
  const migrate = store.migrate as (options: unknown) => Promise<void>;
  await expect(migrate({ schema: 'x' })).rejects.toThrow(refusal(/migrate\(\) takes nothing: give `schema`/));
  await expect(store.get('evt_1:a')).rejects.toMatchObject({ code: 'store_outdated' });
});

test('something that is not a client is refused', async () => {
  const store = createPostgresStore({ pool, schema: schemaName() });
  const deliveries = [newDelivery({ id: 'evt_1', type: 'x' }, 'a', { at: 1 })];
  for (const client of [null, {}, CONNECTION_STRING, { sql: 1 }]) {
    const calls = [
      () => store.enqueue([{ body: Buffer.from('x'), deliveries }], client as never),
      () => store.settle([], client as never),
      () => store.deadLetters.redeliver({}, { at: 1, replay: 'x' }, client as never),
      () => store.deadLetters.discard({ all: true }, client as never),
      () => store.deleteDeliveries([], {}, client as never),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(refusal(/^client is .*give a connection/));
  }
});

test('a pool instead of a connection with a transaction is refused, and nothing is stored', async () => {
  const store = createPostgresStore({ pool, schema: schemaName() });
  const deliveries = [newDelivery({ id: 'evt_1', type: 'x' }, 'a', { at: 1 })];
  const sub = { query: (text: never) => pool.query(text), connect: () => pool.connect() };
  for (const client of [pool, sub]) {
    const calls = [
      () => store.enqueue([{ body: Buffer.from('x'), deliveries }], client as never),
      () => store.settle([], client as never),
      () => store.makeDue({ endpointId: 'a' }, { at: 1 }, client as never),
      () => store.deadLetters.redeliver({}, { at: 1, replay: 'x' }, client as never),
      () => store.deadLetters.discard({ all: true }, client as never),
      () => store.deleteDeliveries([], {}, client as never),
    ];
    const message = /^client is a pool, .*give a connection of pg, such as await pool\.connect\(\)/;
    for (const call of calls) await expect(call()).rejects.toThrow(refusal(message));
  }
  const call = store.enqueue([{ body: Buffer.from('x'), deliveries }], postgresJs() as never);
  await expect(call).rejects.toThrow(refusal(/^client is the sql function of postgres\.js/));
});

test.for([{ schema: 'x' }, 7, null, ['x'], 'pg_toast'])('the SQL for a schema of %j is refused', (schema) => {
  expect(() => postgresMigrations(schema as string)).toThrow(refusal(/^schema.*give/));
});
