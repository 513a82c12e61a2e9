/** Deleting finished deliveries while others work. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newDelivery } from '../../../src/delivery/index.js';
import { createFixture, type Fixture, quoted } from './schema.js';

const OLD = 10;
const body = Buffer.from('x');
const to = (endpoint: string, at = 1) => newDelivery({ id: 'evt_1', type: 'x' }, endpoint, { at });

describe('bodies that nobody needs', () => {
  let fixture: Fixture;
  beforeAll(async () => void (fixture = await createFixture()));
  afterAll(() => fixture.close());
  beforeEach(() =>
    fixture.pool.query(`truncate ${quoted(fixture.schema)}.deliveries, ${quoted(fixture.schema)}.bodies`),
  );

  const bodies = async () =>
    (await fixture.pool.query(`select from ${quoted(fixture.schema)}.bodies`)).rowCount;

  async function deliver(endpoint: string): Promise<void> {
    const { store } = fixture;
    await store.enqueue([{ body, deliveries: [to(endpoint)] }]);
    const [claim] = (
      await store.claim({ lease: 'l', at: 1, until: 9, limit: 1, perEndpoint: 1, inFlight: new Map() })
    ).claims;
    const delivery = {
      ...claim!.delivery,
      state: 'delivered',
      due_at: null,
      finished_at: 2,
      lease: null,
    } as const;
    await store.settle([{ lease: 'l', delivery, attempt: null }]);
  }

  test('stay while a transaction that uses one is open, whichever way it ends', async () => {
    const { store, pool } = fixture;
    for (const [end, left] of [
      ['rollback', 0],
      ['commit', 1],
    ] as const) {
      await deliver(end);
      const host = await pool.connect();
      await host.query('begin');
      expect(await store.enqueue([{ body, deliveries: [to(`${end} again`)] }], host)).toBe(1);
      expect(await store.deleteFinished({ before: OLD })).toEqual({ deliveries: 1, bodies: 0 });
      await host.query(end);
      host.release();
      await store.deleteFinished({ before: OLD });
      expect(await bodies(), end).toBe(left);
    }
    expect(
      (await store.claim({ lease: 'l', at: 1, until: 9, limit: 9, perEndpoint: 9, inFlight: new Map() }))
        .claims,
    ).toHaveLength(1);
  });

  test('stay while they are used, when deliveries are deleted by their ids in a transaction of a host', async () => {
    const { store, pool } = fixture;
    await deliver('a');
    const [using, deleting] = await Promise.all([pool.connect(), pool.connect()]);
    await using.query('begin');
    expect(await store.enqueue([{ body, deliveries: [to('b')] }], using)).toBe(1);
    await deleting.query('begin');
    expect(await store.deleteDeliveries(['evt_1:a', 'evt_1:b'], {}, deleting)).toEqual(['evt_1:a']);
    expect((await store.get('evt_1:a'))?.delivery.state, 'before the end').toBe('delivered');
    await deleting.query('commit');
    await using.query('commit');
    deleting.release();
    using.release();
    expect(await store.get('evt_1:a')).toBeNull();
    expect(await bodies()).toBe(1);
    expect(await store.deleteDeliveries(['evt_1:b']), 'it is unfinished').toEqual([]);
  });

  test('are made again by whoever comes while they go', async () => {
    const { store, pool, schema } = fixture;
    await deliver('first');
    await store.deleteFinished({ before: OLD, batchSize: 1 });
    expect(await bodies()).toBe(0);
    await deliver('second');
    // As retention does it, but slower: the body is locked, then looked at, then deleted.
    await pool.query(`delete from ${quoted(schema)}.deliveries`);
    const slow = await pool.connect();
    await slow.query('begin');
    await slow.query(`select from ${quoted(schema)}.bodies for update`);
    const enqueued = store.enqueue([{ body, deliveries: [to('third')] }]);
    await slow.query(`delete from ${quoted(schema)}.bodies`);
    await slow.query('commit');
    slow.release();
    expect(await enqueued).toBe(1);
    const { claims } = await store.claim({
      lease: 'l',
      at: 1,
      until: 9,
      limit: 9,
      perEndpoint: 9,
      inFlight: new Map(),
    });
    expect(claims.map(({ body: bytes }) => Buffer.from(bytes).toString())).toEqual(['x']);
  });

  test('never go from under a delivery, while events come, are sent and are forgotten', async () => {
    const { store } = fixture;
    let isOver = false;
    let deleted = 0;
    const forgetting = async () => {
      while (!isOver) deleted += (await store.deleteFinished({ before: OLD, batchSize: 3 })).bodies;
    };
    const named = Array.from({ length: 60 }, (_, n) =>
      [1, 2, 3].map((worker) => `evt_${n % 5}:${worker}.${n}`),
    );
    let deletedByName = 0;
    const forgettingSome = async () => {
      while (!isOver) deletedByName += (await store.deleteDeliveries(named.flat())).length;
    };
    const sending = async (worker: number) => {
      for (let n = 0; n < 60; n++) {
        const delivery = newDelivery({ id: `evt_${n % 5}`, type: 'x' }, `${worker}.${n}`, { at: 1 });
        expect(await store.enqueue([{ body, deliveries: [delivery] }])).toBe(1);
        const { claims } = await store.claim({
          lease: `${worker}.${n}`,
          at: 1,
          until: 99,
          limit: 5,
          perEndpoint: 5,
          inFlight: new Map(),
        });
        for (const claim of claims) expect(Buffer.from(claim.body).toString()).toBe('x');
        await store.settle(
          claims.map((claim) => ({
            lease: claim.delivery.lease!,
            delivery: { ...claim.delivery, state: 'delivered', due_at: null, finished_at: 2, lease: null },
            attempt: null,
          })),
        );
      }
    };
    await Promise.all([
      Promise.all([1, 2, 3].map(sending)).finally(() => (isOver = true)),
      forgetting(),
      forgettingSome(),
      forgettingSome(),
    ]);
    expect(deleted + deletedByName).toBeGreaterThan(0);
    await store.deleteFinished({ before: OLD });
    expect(await bodies()).toBe(0);
  });
});
