/** Transactions of other libraries than `pg`. */
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  createPostgresStore,
  type PostgresRows,
  postgresTransaction,
  type PostgresValue,
  storeErrorOf,
} from '../../../src/adapters/postgres/index.js';
import { newDelivery } from '../../../src/delivery/index.js';
import { createFixture, type Fixture } from './schema.js';

/** The answer to a store's statement from a library that returns `result`. */
const rowsOf = (result: unknown) =>
  postgresTransaction(() => Promise.resolve(result as PostgresRows)).query({ text: 'select' });

describe('rows', () => {
  test.for([
    { returned: 'rows', result: [{ id: 'a' }] },
    { returned: 'a result that has them', result: { rows: [{ id: 'a' }], rowCount: 1 } },
    { returned: 'rows with their number, as TypeORM returns those of an update', result: [[{ id: 'a' }], 1] },
  ])('are taken from $returned', async ({ result }) => {
    expect(await rowsOf(result)).toEqual({ rows: [{ id: 'a' }] });
  });

  test.for([[[]], [{ rows: [] }], [[[], 0]]])('may be none: %j', async ([result]) => {
    expect(await rowsOf(result)).toEqual({ rows: [] });
  });

  test.for(['endpoint_id', 'endpointId', 'EndpointId', 'endpoint-id', 'ENDPOINT_ID'])(
    'have the names of their columns, whatever a plugin has made of them: %s',
    async (name) => {
      const { rows } = await rowsOf([{ [name]: 1, id: 2, dueAt: 3n }]);
      expect(rows).toEqual([{ endpoint_id: 1, id: 2, due_at: 3n }]);
    },
  );

  test.for([
    [3, '3'],
    [undefined, 'undefined'],
    [null, 'null'],
    ['secret', 'a string'],
    [{}, 'an object'],
  ])('are missing from %j, which is refused', async ([result, kind]) => {
    await expect(rowsOf(result)).rejects.toMatchObject({
      name: 'OptionError',
      code: 'invalid_option',
      message: `run returned ${kind as string}: return the rows of the statement`,
    });
  });
});

test('something that is not a function is refused', () => {
  expect(() => postgresTransaction({} as never)).toThrow(
    /^run is an object: give a function that runs a statement in your transaction$/,
  );
});

describe('values', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: inject('postgres') });
    await client.connect();
  });
  afterAll(() => client.end());

  const isScalar = (value: PostgresValue): boolean =>
    value === null || ['string', 'number', 'boolean'].includes(typeof value);
  const ran = async (text: string, values: unknown[]): Promise<unknown> => {
    const transaction = postgresTransaction((sql, given) => {
      expect(given.every(isScalar), 'a library encodes no array').toBe(true);
      return client.query<object>(sql, given);
    });
    const { rows } = await transaction.query({ text, values });
    return (rows[0] as { readonly value: unknown }).value;
  };

  test.for([
    { type: 'text', of: fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')) },
    { type: 'text', of: fc.stringMatching(/^(?:["\\{},\n ]|null|NULL){0,5}$/) },
    { type: 'boolean', of: fc.boolean() },
    { type: 'float8', of: fc.maxSafeInteger() },
    { type: 'bytea', of: fc.uint8Array().map((bytes) => Buffer.from(bytes)) },
  ])('in arrays of $type arrive as they are', async ({ type, of }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(of as fc.Arbitrary<unknown>)), async (array) => {
        expect(await ran(`select $1::${type}[] as value`, [array])).toEqual(array);
      }),
    );
  });

  test('that are no arrays stay as they are', async () => {
    expect(
      await ran('select $1::text || $2::int || coalesce($3, $4)::text as value', ['a', 1, null, true]),
    ).toBe('a1true');
  });
});

describe('a store', () => {
  let fixture: Fixture;
  beforeAll(async () => void (fixture = await createFixture({ columns: { size: 'integer' } })));
  afterAll(() => fixture.close());

  /** Two deliveries with one key; the body has bytes that need an escape. */
  const dispatch = (event: string) => ({
    body: Buffer.from([0, 255, 92, 34]),
    deliveries: ['a', 'b'].map((tail) =>
      newDelivery({ id: `${event}${tail}`, type: 'x' }, 'a', {
        at: 1,
        orderingKey: `"${event}\\`,
        columns: { size: 7 },
      }),
    ),
  });

  test.for([
    { end: 'commit', states: ['pending', 'waiting'] },
    { end: 'rollback', states: [undefined, undefined] },
  ])('enqueues in the transaction: $end', async ({ end, states }) => {
    const { store, pool } = fixture;
    const client = await pool.connect();
    await client.query('begin');
    const transaction = postgresTransaction((text, values) => client.query<object>(text, values));
    expect(await store.enqueue([dispatch(end)], transaction)).toBe(2);
    expect(await store.get(`${end}a:a`)).toBeNull();
    await client.query(end);
    client.release();
    const found = await Promise.all(['a', 'b'].map((tail) => store.get(`${end}${tail}:a`)));
    expect(found.map((one) => one?.delivery.state)).toEqual(states);
  });

  test('refuses a client that returns rows as other libraries do', async () => {
    const rowsAlone = { query: () => Promise.resolve([]) };
    await expect(fixture.store.enqueue([dispatch('x')], rowsAlone as never)).rejects.toThrow(
      /^query\(\) of client returned no rows: give a connection of pg, or postgresTransaction\(…\)$/,
    );
  });
});

describe('an error', () => {
  const words = 'Failed query: insert … params: timeout of a connection';
  const driver = Object.assign(new Error('serialization'), { code: '40001' });

  test.for([
    ['of Drizzle', new Error(words, { cause: driver })],
    [
      'of Prisma',
      Object.assign(new Error(words), {
        code: 'P2010',
        meta: { driverAdapterError: { cause: { originalCode: '40001', kind: 'TransactionWriteConflict' } } },
      }),
    ],
    ['of TypeORM', Object.assign(new Error(words), driver, { driverError: driver })],
  ] as const)("%s has the driver's code", ([, error]) => {
    expect(storeErrorOf(error)).toMatchObject({ code: 'store_locked', cause: error });
    expect(storeErrorOf(error).message).not.toContain('params');
  });

  test.for([{}, { meta: null }, { meta: 'x' }, { meta: {} }, { cause: 'x' }, { code: 5 }])(
    'with %j is one without a code',
    (members) => {
      expect(storeErrorOf(Object.assign(new Error('x'), members)).code).toBe('store_failed');
    },
  );
});

test('a store names the way for postgres.js', async () => {
  const pool = new pg.Pool({ connectionString: inject('postgres') });
  const sql = Object.assign(() => undefined, { unsafe: () => undefined });
  await expect(createPostgresStore({ pool }).enqueue([], sql as never)).rejects.toThrow(
    /give postgresTransaction\(\(text, values\) => sql\.unsafe\(text, values\)\)/,
  );
  await pool.end();
});
