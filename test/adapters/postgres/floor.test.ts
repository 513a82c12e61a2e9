/** The instant from which claims read their index. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPostgresStore, type PostgresStore } from '../../../src/adapters/postgres/index.js';
import { Floor, type Seen } from '../../../src/adapters/postgres/floor.js';
import { bound, EARLIEST } from '../../../src/adapters/postgres/instants.js';
import { type Delivery, newDelivery, transition } from '../../../src/delivery/index.js';
import { countedPostgres } from '../rows-read/counted-postgres.js';
import { createFixture, type Fixture, quoted } from './schema.js';

const NOW = 1_700_000_000_000;

/** The record and the attempt after a success. */
function delivered(delivery: Delivery, at: number) {
  const attempt = { started_at: at, ended_at: at, outcome: { ok: true as const, status: 204 } };
  const policy = { retry_max_attempts: 1, retry_backoff_base_seconds: 1 };
  const after = transition(delivery, { type: 'attempt', lease: delivery.lease ?? '', attempt, policy });
  if (!after.ok) throw new Error('it was leased');
  return { delivery: after.delivery, attempt: after.delivery.last_attempt };
}

/** The result of reading for a claim that finds nothing due. */
const seen = (at: number, more: Partial<Seen> = {}): Seen => ({
  ...{ at, until: at + 30_000, seen: '9:9:' },
  ...more,
});

describe('a floor', () => {
  test('is below everything that was read, noted, or became due within a second', () => {
    const moves = fc.array(
      fc.record({
        ms: fc.integer({ min: -2_000, max: 4_000 }),
        earliestMsAgo: fc.option(fc.nat(9_000), { nil: undefined }),
        nextMs: fc.option(fc.integer({ min: 1, max: 90_000 }), { nil: undefined }),
        isEarly: fc.boolean(),
        notedMsAgo: fc.option(fc.integer({ min: -9_000, max: 90_000 }), { nil: undefined }),
      }),
    );
    fc.assert(
      fc.property(moves, (script) => {
        const floor = new Floor();
        let at = NOW;
        for (const { ms, earliestMsAgo, nextMs, notedMsAgo, isEarly } of script) {
          const earliest = earliestMsAgo === undefined ? undefined : at - earliestMsAgo;
          const next = nextMs === undefined ? undefined : at + nextMs;
          const noted = notedMsAgo === undefined ? Infinity : at - notedMsAgo;
          floor.of(at);
          if (isEarly && noted < Infinity) floor.note(noted);
          floor.learn(seen(at, { earliest, next }));
          if (!isEarly && noted < Infinity) floor.note(noted);
          const last = at;
          at += ms;
          const { due, later } = floor.of(at);
          expect(due).toBeLessThan(Math.min(earliest ?? Infinity, noted, last - 999));
          expect(later).toBeLessThan(Math.min(next ?? Infinity, noted, last + 30_000));
        }
      }),
    );
  });

  test('holds for a snapshot, and is dropped with it, after ten minutes, and when the clock was set back', () => {
    const floor = new Floor();
    const start = { due: EARLIEST, later: EARLIEST, seen: null };
    expect(floor.of(NOW)).toEqual(start);
    floor.learn(seen(NOW));
    expect(floor.of(NOW + 599_999)).toEqual({ due: NOW - 1_000, later: NOW + 29_999, seen: '9:9:' });
    floor.learn(seen(NOW + 599_999));
    expect(floor.of(NOW + 600_000), 'which no other reading renews').toEqual(start);
    floor.learn(seen(NOW + 600_000));
    expect(floor.of(NOW + 599_999)).toEqual(start);
    floor.learn(seen(NOW));
    floor.forget();
    expect(floor.of(NOW)).toEqual(start);
    floor.learn(seen(NOW, { seen: null }));
    expect(floor.of(NOW)).toEqual(start);
  });
});

test.for([
  [1.5, 2],
  [2, 2],
  [-1.5, -1],
  [Infinity, Number.MAX_SAFE_INTEGER],
  [-Infinity, EARLIEST],
] as const)('%d as a bound is %d', ([at, expected]) => {
  expect(bound(at)).toBe(expected);
});

describe('a claim', () => {
  let fixture: Fixture;
  beforeAll(async () => void (fixture = await createFixture()));
  afterAll(() => fixture.close());
  const request = { limit: 20, perEndpoint: 50, inFlight: new Map<string, number>() };
  const due = (id: string, endpoint: string, at: number) => ({
    body: Buffer.from(''),
    deliveries: [newDelivery({ id, type: 'x' }, endpoint, { at })],
  });

  /** Ids of a claim, in its order. */
  const claimIds = async (store: PostgresStore, at: number): Promise<readonly string[]> => {
    const { claims } = await store.claim({ ...request, lease: crypto.randomUUID(), at, until: at + 1e9 });
    return claims.map(({ delivery }) => delivery.id);
  };

  test('finds at once what another process made due long ago, and what its own did', async () => {
    const { store, pool, schema } = fixture;
    expect(await claimIds(store, NOW)).toEqual([]);
    const other = createPostgresStore({ pool, schema });
    await other.enqueue([due('late', 'a', NOW - 60_000), due('soon', 'a', NOW - 4_000)]);
    expect(await claimIds(store, NOW + 1)).toEqual(['late:a', 'soon:a']);
    await store.enqueue([due('own', 'a', NOW - 30_000)]);
    expect(await claimIds(store, NOW + 2)).toEqual(['own:a']);
    await other.enqueue([due('retried', 'a', NOW + 90_000)]);
    expect(await claimIds(store, NOW + 3)).toEqual([]);
    expect(await other.makeDue({ endpointId: 'a' }, { at: NOW - 70_000 })).toBe(1);
    expect(await claimIds(store, NOW + 4)).toEqual(['retried:a']);
  });

  test('finds at once what another process settled, wherever it is due now', async () => {
    const { store, pool, schema, close } = await createFixture();
    const other = createPostgresStore({ pool, schema });
    const claimFor = (one: PostgresStore, lease: string, at: number) =>
      one.claim({ ...request, lease, at, until: at + 300_000 });
    const [soon, past] = [60_000, -60_000];
    let at = NOW;
    for (const delay of [soon, past, soon, past]) {
      await other.enqueue([due(`evt_${at}`, 'a', at)]);
      const leased = (await claimFor(other, 'other', at)).claims[0]!.delivery;
      expect((await claimFor(store, 'own', at)).nextDueAt, 'the end of the lease').toBe(at + 300_000);
      const delivery = { ...leased, state: 'pending' as const, lease: null, due_at: at + delay };
      expect(await other.settle([{ lease: 'other', delivery, attempt: null }])).toEqual([true]);
      if (delay === soon) expect((await claimFor(store, 'own', at)).nextDueAt).toBe(at + delay);
      at += 100_000;
      const { claims } = await claimFor(store, 'own', at);
      expect(claims.map(({ delivery }) => delivery.id)).toEqual([leased.id]);
      await store.deleteDeliveries([leased.id], { unfinished: true });
    }
    await close();
  });

  test('finds what a transaction of the host commits long after it is due, however many commit before it', async () => {
    const { store, pool, schema } = fixture;
    const at = NOW + 1e6;
    const other = createPostgresStore({ pool, schema });
    const host = await pool.connect();
    await host.query('begin');
    await other.enqueue([due('slow', 'a', at)], host);
    for (let n = 0; n < 5; n++) {
      await other.enqueue([due(`quick_${n}`, 'b', at + n)]);
      expect(await claimIds(store, at + 1_000_000 + n)).toEqual([`quick_${n}:b`]);
    }
    await host.query('commit');
    host.release();
    expect(await claimIds(store, at + 1_000_010)).toEqual(['slow:a']);
  });

  test('finds more than a claim looks at one by one', async () => {
    const { store, pool, schema } = fixture;
    const at = NOW + 3e6;
    expect(await claimIds(store, at + 60_000)).toEqual([]);
    const other = createPostgresStore({ pool, schema });
    await other.enqueue(Array.from({ length: 2_500 }, (_, n) => due(`many_${n}`, 'a', at + 2_500 - n)));
    expect((await claimIds(store, at + 60_001))[0]).toBe('many_2499:a');
    await pool.query(`delete from ${quoted(schema)}.deliveries`);
  });

  test('never loses sight of a backlog, however long it lasts', async () => {
    const { store, pool, schema } = fixture;
    const rows = 1_500;
    await store.enqueue(Array.from({ length: rows }, (_, n) => due(`evt_${n}`, 'busy', NOW - 90_000 + n)));
    const worker = createPostgresStore({ pool, schema });
    for (let n = 0; n < rows / 20; n++) {
      const at = NOW + 50_000 + 500 * n;
      const { claims } = await worker.claim({ ...request, lease: `${n}`, at, until: at + 1e6 });
      expect(claims, `claim ${n}`).toHaveLength(20);
    }
  });

  test('steps over nothing that was settled, while a transaction elsewhere keeps it in the indexes', async () => {
    const counted = await countedPostgres(inject('postgres'));
    await counted.hold();
    const at = NOW + 1e7;
    const [store, other] = [counted.store(), counted.store()];
    const pages: number[] = [];
    const idle = async (one: PostgresStore, now: number) => {
      counted.take();
      const result = await one.claim({ ...request, lease: `${now}`, at: now, until: now + 30_000 });
      pages.push(counted.take().pages ?? NaN);
      return result;
    };
    const rows = 3_000;
    await store.enqueue(Array.from({ length: rows }, (_, n) => due(`gone_${n}`, `${n % 40}`, at + n)));
    for (let n = 0; n < rows;) {
      const lease = `work ${n}`;
      const now = at + rows + n;
      const bounds = { at: now, until: now + 30_000, limit: 200, perEndpoint: 50 };
      const { claims } = await store.claim({ ...request, ...bounds, lease });
      expect(claims.length).toBeGreaterThan(0);
      n += claims.length;
      await store.settle(claims.map(({ delivery }) => ({ lease, ...delivered(delivery, now) })));
    }
    // The first claims look at all; from then on each looks at what is new.
    for (const one of [store, other]) await idle(one, at + 10_000);
    pages.length = 0;
    for (let n = 1; n <= 20; n++) await idle(n % 2 === 0 ? store : other, at + 10_000 + 100 * n);
    expect(Math.max(...pages)).toBeLessThan(30);
    await store.enqueue([due('next', 'a', at + 60_000)]);
    expect((await idle(other, at + 13_000)).nextDueAt).toBe(at + 60_000);
    expect(Math.max(...pages)).toBeLessThan(30);
    await counted.close();
  });
});
