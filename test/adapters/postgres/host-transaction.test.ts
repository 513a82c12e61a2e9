/** Enqueueing in a transaction of the host's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newDelivery } from '../../../src/delivery/index.js';
import { createFixture, type Fixture, quoted } from './schema.js';

const dispatch = (event: string, ...endpoints: string[]) => ({
  body: Buffer.from(event),
  deliveries: endpoints.map((endpoint) => newDelivery({ id: event, type: 'x' }, endpoint, { at: 1 })),
});

describe("the host's own write and the enqueueing of its event", () => {
  let fixture: Fixture;
  let orders: string;
  beforeAll(async () => {
    fixture = await createFixture();
    orders = `${quoted(fixture.schema)}.orders`;
    await fixture.pool.query(`create table ${orders} (id text primary key)`);
  });
  afterAll(() => fixture.close());

  /** Counts the rows of an order and of its event's deliveries and bodies. */
  async function known(event: string) {
    const { pool, schema } = fixture;
    const count = async (table: string, column: string) =>
      (await pool.query(`select from ${table} where ${column} = $1`, [event])).rowCount;
    return {
      orders: await count(orders, 'id'),
      deliveries: await count(`${quoted(schema)}.deliveries`, 'event_id'),
      bodies: await count(`${quoted(schema)}.bodies`, 'event_id'),
    };
  }

  test.for([
    { end: 'commit', after: { orders: 1, deliveries: 2, bodies: 1 } },
    { end: 'rollback', after: { orders: 0, deliveries: 0, bodies: 0 } },
  ])('are there together or not at all: $end', async ({ end, after }) => {
    const { store, pool } = fixture;
    const event = `evt_${end}`;
    const host = await pool.connect();
    await host.query('begin');
    await host.query(`insert into ${orders} values ($1)`, [event]);
    expect(await store.enqueue([dispatch(event, 'a', 'b')], host)).toBe(2);
    expect(await known(event), 'before the end').toEqual({ orders: 0, deliveries: 0, bodies: 0 });
    expect(await store.get(`${event}:a`)).toBeNull();
    await host.query(end);
    host.release();
    expect(await known(event)).toEqual(after);
  });

  test('are gone together where the host fails after enqueueing', async () => {
    const { store, pool } = fixture;
    const host = await pool.connect();
    await host.query('begin');
    await host.query(`insert into ${orders} values ('evt_twice')`);
    await store.enqueue([dispatch('evt_twice', 'a')], host);
    await expect(host.query(`insert into ${orders} values ('evt_twice')`)).rejects.toThrow('duplicate key');
    await expect(store.enqueue([dispatch('evt_twice', 'b')], host)).rejects.toMatchObject({
      code: 'store_failed',
    });
    await host.query('commit'); // which Postgres turns into a rollback
    host.release();
    expect(await known('evt_twice')).toEqual({ orders: 0, deliveries: 0, bodies: 0 });
  });

  test('wait for one another where two hosts enqueue the same event, and it is there once', async () => {
    const { store, pool } = fixture;
    const [one, two] = await Promise.all([pool.connect(), pool.connect()]);
    await one.query('begin');
    await two.query('begin');
    expect(await store.enqueue([dispatch('evt_both', 'a')], one)).toBe(1);
    const second = store.enqueue([dispatch('evt_both', 'a', 'b')], two);
    await one.query('commit');
    expect(await second).toBe(1);
    await two.query('commit');
    one.release();
    two.release();
    expect(await known('evt_both')).toEqual({ orders: 0, deliveries: 2, bodies: 1 });
  });
});
