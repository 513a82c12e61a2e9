/** The Postgres store beyond its contracts. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/index.js';
import { newDelivery } from '../../../src/delivery/index.js';
import { createFixture, createPool, type Fixture, quoted, schemaName } from './schema.js';
import { expectAroundBacklog } from '../model.js';

const everything = {
  lease: 'l',
  at: 9,
  until: 99,
  limit: 9,
  perEndpoint: 9,
  inFlight: new Map<string, number>(),
};
const dispatch = (event: string, ...endpoints: string[]) => ({
  body: Buffer.from(event),
  deliveries: endpoints.map((endpoint) => newDelivery({ id: event, type: 'x' }, endpoint, { at: 1 })),
});

describe('a pool', () => {
  test('may serve several stores, which know nothing of each other', async () => {
    const pool = createPool({ max: 1 });
    const schemas = [schemaName(), schemaName()];
    const stores = schemas.map((schema) => createPostgresStore({ pool, schema }));
    for (const store of stores) await store.migrate();
    const [one, two] = stores;
    await one!.enqueue([dispatch('evt_1', 'a')]);
    await two!.enqueue([dispatch('evt_1', 'b')]);
    for (const [store, endpoint] of [
      [one, 'a'],
      [two, 'b'],
    ] as const) {
      const { claims } = await store!.claim(everything);
      expect(claims.map(({ delivery }) => delivery.endpoint_id)).toEqual([endpoint]);
    }
    for (const schema of schemas) await pool.query(`drop schema ${quoted(schema)} cascade`);
    await pool.end();
  });

  test.for([
    { prepare: true, isKept: true },
    { prepare: false, isKept: false },
  ])('keeps the plans of statements: $isKept, where prepare is $prepare', async ({ prepare, isKept }) => {
    const fixture = await createFixture();
    const pool = createPool({ max: 1 });
    const store = createPostgresStore({ pool, schema: fixture.schema, prepare });
    await store.enqueue([dispatch('evt_1', 'a')]);
    await store.claim(everything);
    const { rowCount } = await pool.query('select from pg_prepared_statements');
    expect(rowCount! > 0).toBe(isKept);
    await pool.end();
    await fixture.close();
  });

  test('gets every connection back, also from what fails', async () => {
    const pool = createPool({ max: 2 });
    const store = createPostgresStore({ pool, schema: schemaName() });
    for (let n = 0; n < 5; n++) {
      await expect(store.deleteFinished({ before: 1 })).rejects.toMatchObject({ code: 'store_outdated' });
      await expect(store.claim(everything)).rejects.toMatchObject({ code: 'store_outdated' });
    }
    expect(pool.idleCount).toBe(pool.totalCount);
    const { rows } = await pool.query('select now() = statement_timestamp() as fresh');
    expect(rows, 'no transaction is left open').toEqual([{ fresh: true }]);
    await pool.end();
  });
});

describe('a body', () => {
  let fixture: Fixture;
  beforeAll(async () => void (fixture = await createFixture()));
  afterAll(() => fixture.close());
  const bodies = async () => {
    const { rows } = await fixture.pool.query(`select bytes from ${quoted(fixture.schema)}.bodies`);
    return rows.map(({ bytes }) => String(bytes));
  };

  test('that comes with known deliveries alone is not kept', async () => {
    const { store } = fixture;
    await store.enqueue([dispatch('evt_1', 'a', 'b')]);
    expect(await store.enqueue([{ ...dispatch('evt_1', 'a', 'b'), body: Buffer.from('other') }])).toBe(0);
    expect(await bodies()).toEqual(['evt_1']);
  });

  test('is what it was when it was handed in, whatever the host does to it while connections are busy', async () => {
    const pool = createPool({ max: 1 });
    const store = createPostgresStore({ pool, schema: fixture.schema });
    const bytes = Buffer.from('evt_2');
    const busy = pool.query('select pg_sleep(0.05)');
    const enqueued = store.enqueue([{ ...dispatch('evt_2', 'a'), body: bytes }]);
    bytes.fill(0);
    await Promise.all([busy, enqueued]);
    expect(await bodies()).toContain('evt_2');
    await pool.end();
  });
});

describe('a claim', () => {
  let fixture: Fixture;
  beforeAll(async () => void (fixture = await createFixture()));
  afterAll(() => fixture.close());
  beforeEach(() =>
    fixture.pool.query(`truncate ${quoted(fixture.schema)}.deliveries, ${quoted(fixture.schema)}.bodies`),
  );

  test('waits for nobody who has a delivery locked', async () => {
    const { store, pool, schema } = fixture;
    await store.enqueue([dispatch('evt_1', 'a', 'b', 'c')]);
    const slow = await pool.connect();
    await slow.query('begin');
    await slow.query(`select from ${quoted(schema)}.deliveries where endpoint_id = 'b' for update`);
    const { claims } = await store.claim(everything);
    expect(claims.map(({ delivery }) => delivery.endpoint_id).toSorted()).toEqual(['a', 'c']);
    await slow.query('rollback');
    slow.release();
    const { claims: rest } = await store.claim({ ...everything, lease: 'next' });
    expect(rest.map(({ delivery }) => delivery.endpoint_id)).toEqual(['b']);
  });

  test('tells when each delivery was due', async () => {
    const { store } = fixture;
    const deliveries = [3, 1, 2].map((at) => newDelivery({ id: `evt_${at}`, type: 'x' }, 'a', { at }));
    await store.enqueue([{ body: Buffer.from(''), deliveries }]);
    const { claims } = await store.claim(everything);
    expect(claims.map(({ dueAt }) => dueAt)).toEqual([1, 2, 3]);
  });

  test('goes around what is behind, over thousands of endpoints, whatever language the server sorts by', async () => {
    await expectAroundBacklog(fixture.store);
  });
});
