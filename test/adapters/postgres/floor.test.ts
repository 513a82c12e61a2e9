/** The instant from which claims read their index. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/index.js';
import { createStatements } from '../../../src/adapters/postgres/statements.js';
import { Floor } from '../../../src/adapters/postgres/floor.js';
import { bound, EARLIEST } from '../../../src/adapters/postgres/instants.js';
import { newDelivery } from '../../../src/delivery/index.js';
import { createFixture, type Fixture, quoted } from './schema.js';

const NOW = 1_700_000_000_000;

describe('a floor', () => {
  test('is below everything that was read, noted, or became due within five seconds', () => {
    const moves = fc.array(
      fc.record({
        ms: fc.integer({ min: -2_000, max: 4_000 }),
        earliestMsAgo: fc.option(fc.nat(9_000), { nil: undefined }),
        isEarly: fc.boolean(),
        notedMsAgo: fc.option(fc.integer({ min: -9_000, max: 90_000 }), { nil: undefined }),
      }),
    );
    fc.assert(
      fc.property(moves, (script) => {
        const floor = new Floor();
        let at = NOW;
        for (const { ms, earliestMsAgo, notedMsAgo, isEarly } of script) {
          const earliest = earliestMsAgo === undefined ? undefined : at - earliestMsAgo;
          const noted = notedMsAgo === undefined ? Infinity : at - notedMsAgo;
          if (isEarly) {
            if (noted < Infinity) floor.note(noted);
            floor.learn(at, earliest);
          } else {
            floor.learn(at, earliest);
            if (noted < Infinity) floor.note(noted);
          }
          const last = at;
          at += ms;
          expect(floor.of(at)).toBeLessThan(Math.min(earliest ?? Infinity, noted, last - 4_999));
        }
      }),
    );
  });

  test('is trusted for a second, and not once the clock was set back', () => {
    const floor = new Floor();
    expect(floor.of(NOW)).toBe(EARLIEST);
    floor.learn(NOW);
    expect(floor.of(NOW + 999)).toBe(NOW - 5_000);
    floor.learn(NOW + 999);
    expect(floor.of(NOW + 1_000), 'which no other reading renews').toBe(EARLIEST);
    floor.learn(NOW + 1_000);
    expect(floor.of(NOW + 999)).toBe(EARLIEST);
    floor.learn(NOW);
    floor.forget();
    expect(floor.of(NOW)).toBe(EARLIEST);
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

  test('finds within a second what another process made due long ago, and at once what its own did', async () => {
    const { store, pool, schema } = fixture;
    const claimed = async (at: number) => {
      const { claims } = await store.claim({ ...request, lease: `${at}`, at, until: at + 1e6 });
      return claims.map(({ delivery }) => delivery.id);
    };
    expect(await claimed(NOW)).toEqual([]);
    const other = createPostgresStore({ pool, schema });
    await other.enqueue([due('late', 'a', NOW - 60_000), due('soon', 'a', NOW - 4_000)]);
    expect(await claimed(NOW + 1)).toEqual(['soon:a']);
    await store.enqueue([due('own', 'a', NOW - 30_000)]);
    expect(await claimed(NOW + 2)).toEqual(['own:a']);
    expect(await claimed(NOW + 1_002)).toEqual(['late:a']);
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

  test('steps over nothing that is gone, while a transaction elsewhere keeps it in the index', async () => {
    const { store, pool, schema } = fixture;
    const dump = await pool.connect();
    await dump.query(`begin isolation level repeatable read; select from ${quoted(schema)}.deliveries`);
    const at = NOW + 1e7;
    await store.enqueue(Array.from({ length: 3_000 }, (_, n) => due(`gone_${n}`, 'a', at + n)));
    await pool.query(`update ${quoted(schema)}.deliveries set due_at = null`);
    const statement = createStatements(schema).read.text;
    const touched = async (from: number) => {
      const client = await pool.connect();
      await client.query('set enable_seqscan = off');
      const text = `explain (analyze, buffers, format json) ${statement}`;
      const { rows } = await client.query(text, [EARLIEST, at + 9_000, 40, 8, [], [], from]);
      client.release(true);
      return rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks'] as number;
    };
    const floor = new Floor();
    floor.learn(at + 8_999);
    expect(await touched(EARLIEST)).toBeGreaterThan(60);
    expect(await touched(floor.of(at + 9_000))).toBeLessThan(20);
    await dump.query('rollback');
    dump.release();
  });
});
