/** Writing in a transaction of the host's. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newDelivery, type Settlement, transition } from '../../../src/delivery/index.js';
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

describe("the host's own rows about a delivery", () => {
  let fixture: Fixture;
  let rows: string;
  beforeAll(async () => {
    fixture = await createFixture();
    rows = `${quoted(fixture.schema)}.host_rows`;
    await fixture.pool.query(`create table ${rows} (id text primary key)`);
  });
  afterAll(() => fixture.close());

  const countRows = async (id: string) =>
    (await fixture.pool.query(`select from ${rows} where id = $1`, [id])).rowCount;

  /** Enqueues an event to endpoint `a`, claims its delivery, and gives the settlement of an attempt. */
  async function attempted(event: string, status: 200 | 500): Promise<Settlement> {
    const { store } = fixture;
    await store.enqueue([dispatch(event, 'a')]);
    const lease = `lease of ${event}`;
    const request = { lease, at: 9, until: 99, limit: 9, perEndpoint: 9, inFlight: new Map() };
    const claim = (await store.claim(request)).claims.find(({ delivery }) => delivery.event_id === event);
    const outcome =
      status === 200
        ? { ok: true as const, status }
        : { ok: false as const, failure: 'http_status' as const, status, transient: true, detail: '' };
    const attempt = { started_at: 10, ended_at: 11, outcome };
    const policy = { retry_max_attempts: 1, retry_backoff_base_seconds: 60 };
    const step = transition(claim!.delivery, { type: 'attempt', lease, attempt, policy });
    if (!step.ok) throw new Error(step.reason);
    return { lease, delivery: step.delivery, attempt: step.delivery.last_attempt };
  }

  /** Runs work and a write of the host in one transaction, and ends it. */
  async function together<T>(
    id: string,
    end: string,
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await fixture.pool.connect();
    await client.query('begin');
    await client.query(`insert into ${rows} values ($1) on conflict do nothing`, [id]);
    const result = await work(client);
    await client.query(end);
    client.release();
    return result;
  }

  test.for(['commit', 'rollback'])('and the end of its lease are one write: %s', async (end) => {
    const { store } = fixture;
    const event = `evt_settle_${end}`;
    const settlement = await attempted(event, 200);
    const { id } = settlement.delivery;
    const held = await together(event, end, async (client) => {
      const lost = { ...settlement, lease: 'another' };
      expect(await store.settle([lost], client), 'the lease of somebody else').toEqual([false]);
      const answer = await store.settle([settlement], client);
      expect((await store.get(id))?.delivery.state, 'before the end').toBe('leased');
      return answer;
    });
    expect(held).toEqual([true]);
    const isThere = end === 'commit';
    expect(await countRows(event)).toBe(isThere ? 1 : 0);
    expect((await store.get(id))?.delivery.state).toBe(isThere ? 'delivered' : 'leased');
    const again = await together(event, 'commit', (client) => store.settle([settlement], client));
    expect(again, 'repeated').toEqual([true]);
    expect(await countRows(event)).toBe(1);
    expect(await store.get(id)).toEqual({ delivery: settlement.delivery, attempts: [settlement.attempt] });
  });

  test('and a settlement that was recorded meanwhile: the second is told so, and writes nothing', async () => {
    const { store, pool } = fixture;
    const settlement = await attempted('evt_meanwhile', 200);
    const [one, two] = await Promise.all([pool.connect(), pool.connect()]);
    await one.query('begin');
    await two.query('begin');
    expect(await store.settle([settlement], one)).toEqual([true]);
    const second = store.settle([settlement], two);
    await one.query('commit');
    expect(await second).toEqual([true]);
    await two.query('commit');
    one.release();
    two.release();
    expect((await store.get(settlement.delivery.id))?.attempts).toHaveLength(1);
  });

  test.for(['commit', 'rollback'])('and its redelivery as a dead letter are one write: %s', async (end) => {
    const { store } = fixture;
    const { deadLetters } = store;
    const event = `evt_redeliver_${end}`;
    const settlement = await attempted(event, 500);
    await store.settle([settlement]);
    const ids = [settlement.delivery.id];
    await together(event, end, async (client) => {
      expect(await deadLetters.redeliver({ ids }, { at: 1_000, replay: 'click' }, client)).toBe(1);
      expect(await deadLetters.count({ ids }), 'before the end').toBe(1);
    });
    const isThere = end === 'commit';
    expect(await countRows(event)).toBe(isThere ? 1 : 0);
    expect(await deadLetters.count({ ids })).toBe(isThere ? 0 : 1);
    expect((await store.get(`${ids.join()}:click`)) !== null).toBe(isThere);
  });

  test.for(['commit', 'rollback'])('and its end as a dead letter are one write: %s', async (end) => {
    const { store } = fixture;
    const event = `evt_discard_${end}`;
    const settlement = await attempted(event, 500);
    await store.settle([settlement]);
    const ids = [settlement.delivery.id];
    const discarded = await together(event, end, (client) => store.deadLetters.discard({ ids }, client));
    expect(discarded).toBe(1);
    expect(await store.deadLetters.count({ ids })).toBe(end === 'commit' ? 0 : 1);
  });
});
