/** Many workers on one Postgres. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/index.js';
import type { PostgresQuery } from '../../../src/adapters/postgres/pool.js';
import { type Claim, type Delivery, newDelivery, transition } from '../../../src/delivery/index.js';
import { createFixture, createPool, type Fixture, quoted } from './schema.js';

const policy = { retry_max_attempts: 3, retry_backoff_base_seconds: 1 };

describe('several workers on one database', () => {
  let fixture: Fixture;
  const pools = Array.from({ length: 4 }, () => createPool({ max: 2 }));
  beforeAll(async () => void (fixture = await createFixture()));
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await fixture.close();
  });
  beforeEach(() =>
    fixture.pool.query(`truncate ${quoted(fixture.schema)}.deliveries, ${quoted(fixture.schema)}.bodies`),
  );
  const createWorkers = () => pools.map((pool) => createPostgresStore({ pool, schema: fixture.schema }));

  function settled({ delivery }: Claim, at: number, ok: boolean) {
    const outcome = ok
      ? ({ ok, status: 200 } as const)
      : ({ ok, failure: 'timeout', transient: true, detail: '' } as const);
    const attempt = { started_at: at, ended_at: at, outcome };
    const after = transition(delivery, { type: 'attempt', lease: delivery.lease!, attempt, policy });
    if (!after.ok) throw new Error('it was leased');
    return { lease: delivery.lease!, delivery: after.delivery, attempt: after.delivery.last_attempt };
  }

  test.for([
    { endpoints: 3, limit: 64, perEndpoint: 100 },
    { endpoints: 100, limit: 50, perEndpoint: 8 },
    { endpoints: 1_000, limit: 256, perEndpoint: 32 },
  ])(
    'that claim at the same time get what each asks for: $limit of $endpoints endpoints',
    async ({ endpoints, limit, perEndpoint }) => {
      const { pool, schema, store } = fixture;
      await store.enqueue([
        { body: Buffer.from(''), deliveries: [newDelivery({ id: 'evt', type: 'x' }, 'first', { at: 0 })] },
      ]);
      await pool.query(`
        insert into ${quoted(schema)}.deliveries
          (due_at, endpoint_id, id, event_id, event_type, origin, created_at, body, body_bytes)
        select n, 'endpoint ' || n % ${endpoints}, 'many ' || n, 'evt', 'x', 'live', 1, bodies.id, 0
        from generate_series(1, 20000) as g (n), ${quoted(schema)}.bodies`);
      let statements = 0;
      const workers = pools.slice(0, 3).map((one) => {
        const query = (text: PostgresQuery) => (statements++, one.query(text));
        return createPostgresStore({ pool: { query, connect: () => one.connect() }, schema });
      });
      const rounds = 15;
      const ids: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const claims = workers.map(async (worker, n) => {
          const at = 1_000_000 + 100 * round;
          const lease = `${round}.${n}`;
          const request = { lease, at, until: at + 1e9, limit, perEndpoint, inFlight: new Map() };
          return (await worker.claim(request)).claims.map(({ delivery }) => delivery.id);
        });
        ids.push(...(await Promise.all(claims)).flat());
      }
      expect(new Set(ids).size, 'no delivery twice').toBe(ids.length);
      const claims = 3 * rounds;
      expect(ids.length / (claims * limit)).toBeGreaterThan(0.97);
      expect(statements / claims, 'a claim is a statement to read and one to lease').toBeLessThan(4);
    },
  );

  test('hold each delivery one at a time, and end all of them', async () => {
    const endpoints = 25;
    const deliveries = Array.from({ length: 2_000 }, (_, n) =>
      newDelivery({ id: `evt_${n}`, type: 'x' }, `endpoint ${n % endpoints}`, { at: n % 7 }),
    );
    await fixture.store.enqueue(
      deliveries.map((one) => ({ body: Buffer.from(one.event_id), deliveries: [one] })),
    );
    const holders = new Map<string, number>();
    const ended = new Map<string, number>();
    let claims = 0;
    const work = async (store: Fixture['store'], worker: number): Promise<void> => {
      for (let round = 0; ended.size < deliveries.length; round++) {
        // Far ahead of every retry; the leases end never.
        const at = 1_000_000 * (round + 1);
        const request = {
          lease: `${worker}.${round}`,
          at,
          until: 1e12,
          limit: 30,
          perEndpoint: 3,
          inFlight: new Map(),
        };
        const found = await store.claim(request);
        for (const { delivery, body } of found.claims) {
          expect(holders.get(delivery.id), delivery.id).toBeUndefined();
          expect(Buffer.from(body).toString()).toBe(delivery.event_id);
          holders.set(delivery.id, worker);
        }
        claims += found.claims.length;
        // Every fifth fails at first.
        const results = found.claims.map((claim) =>
          settled(claim, at, claim.delivery.attempts > 0 || Number(claim.delivery.event_id.slice(4)) % 5 > 0),
        );
        for (const { delivery } of results) {
          holders.delete(delivery.id);
          if (delivery.state === 'delivered') ended.set(delivery.id, delivery.attempts);
        }
        expect(await store.settle(results)).toEqual(results.map(() => true));
      }
    };
    await Promise.all(createWorkers().map(work));
    expect(claims).toBe(2_000 + 400);
    expect([...ended.values()].filter((attempts) => attempts === 2)).toHaveLength(400);
    expect(
      await fixture.store.claim({
        lease: 'l',
        at: 1e13,
        until: 1e14,
        limit: 9,
        perEndpoint: 9,
        inFlight: new Map(),
      }),
    ).toMatchObject({ claims: [], nextDueAt: null });
  });

  test('share out what is due at once: each gets a part, and together they get all', async () => {
    const deliveries = Array.from({ length: 80 }, (_, n) =>
      newDelivery({ id: `evt_${n}`, type: 'x' }, `endpoint ${n % 4}`, { at: 1 }),
    );
    await fixture.store.enqueue([
      ...deliveries.map((one) => ({ body: Buffer.from('x'), deliveries: [one] })),
    ]);
    const request = { at: 1, until: 1e9, limit: 20, perEndpoint: 5, inFlight: new Map() };
    const results = await Promise.all(
      createWorkers().map((store, worker) => store.claim({ ...request, lease: `${worker}` })),
    );
    const ids = results.flatMap(({ claims }) => claims.map(({ delivery }) => delivery.id));
    expect(new Set(ids).size).toBe(ids.length);
    for (const { claims } of results) {
      for (const endpoint of new Set(claims.map(({ delivery }) => delivery.endpoint_id))) {
        expect(claims.filter(({ delivery }) => delivery.endpoint_id === endpoint).length).toBeLessThanOrEqual(
          5,
        );
      }
    }
  });

  test('take over what a dead one held, once its lease has ended; what that one still says is void', async () => {
    const [dead, heir, other] = createWorkers();
    await fixture.store.enqueue([
      { body: Buffer.from('x'), deliveries: [newDelivery({ id: 'e', type: 'x' }, 'a', { at: 1 })] },
    ]);
    const request = { lease: 'dead', at: 1, until: 10, limit: 9, perEndpoint: 9, inFlight: new Map() };
    const [held] = (await dead!.claim(request)).claims;
    const later = { ...request, at: 10, until: 20 };
    const taken = await Promise.all([
      heir!.claim({ ...later, lease: 'heir' }),
      other!.claim({ ...later, lease: 'other' }),
      dead!.settle([settled(held!, 10, true)]),
    ]);
    const [one, two, [written]] = taken;
    expect(one.claims.length + two.claims.length + (written ? 1 : 0)).toBe(1);
  });

  test('enqueue what overlaps in any order, at once, and nobody blocks another', async () => {
    const workers = createWorkers();
    const chosen = fc.record({ event: fc.nat(5), endpoint: fc.nat(5), body: fc.constantFrom('a', 'b') });
    const batches = fc.array(fc.array(chosen, { minLength: 1, maxLength: 20 }), {
      minLength: 4,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(batches, async (script) => {
        const round = crypto.randomUUID();
        const delivery = (event: number, endpoint: number): Delivery =>
          newDelivery({ id: `${round} ${event}`, type: 'x' }, `${endpoint}`, { at: 1 });
        const counts = await Promise.all(
          script.map((batch, n) =>
            workers[n % workers.length]!.enqueue(
              batch.map(({ event, endpoint, body }) => ({
                body: Buffer.from(body),
                deliveries: [delivery(event, endpoint)],
              })),
            ),
          ),
        );
        const distinct = new Set(script.flat().map(({ event, endpoint }) => `${event} ${endpoint}`));
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(distinct.size);
      }),
      { numRuns: 60 },
    );
    const unused = `select from ${quoted(fixture.schema)}.bodies where not exists
      (select from ${quoted(fixture.schema)}.deliveries where body = bodies.id)`;
    const { rowCount } = await fixture.pool.query(unused);
    const { rowCount: all } = await fixture.pool.query(`select from ${quoted(fixture.schema)}.bodies`);
    expect(rowCount!, 'only where two raced for one delivery').toBeLessThan(all! / 2);
  });

  test('enqueue the same deliveries with other bodies, in the opposite order, at once', async () => {
    const workers = createWorkers();
    for (let round = 0; round < 10; round++) {
      const deliveries = Array.from({ length: 200 }, (_, n) =>
        newDelivery({ id: `evt_${round}`, type: 'x' }, `${n}`, { at: 1 }),
      );
      const counts = await Promise.all(
        workers.map((store, worker) =>
          store.enqueue([
            {
              body: Buffer.from(`${worker}`),
              deliveries: worker % 2 === 0 ? deliveries : deliveries.toReversed(),
            },
          ]),
        ),
      );
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(200);
    }
  });

  test('send a letter again once, however many operators press the button', async () => {
    const workers = createWorkers();
    const letters = Array.from({ length: 40 }, (_, n) =>
      newDelivery({ id: `evt_${n}`, type: 'x' }, 'a', { at: 1 }),
    );
    await fixture.store.enqueue([...letters.map((one) => ({ body: Buffer.from('x'), deliveries: [one] }))]);
    await fixture.store.claim({
      lease: 'l',
      at: 1,
      until: 9,
      limit: 99,
      perEndpoint: 99,
      inFlight: new Map(),
    });
    await fixture.store.settle(
      letters.map((one, n) => ({
        lease: 'l',
        delivery: { ...one, state: 'failed', due_at: null, finished_at: n % 5 },
        attempt: null,
      })),
    );
    const counts = await Promise.all([
      ...workers.map((store) => store.deadLetters.redeliver({}, { at: 2, replay: 'click' })),
      ...workers.map((store) => store.deadLetters.discard({ failedFrom: 3 })),
      ...workers.map((store) => store.deadLetters.redeliver({ failedBefore: 4 }, { at: 2, replay: 'click' })),
    ]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(await fixture.store.deadLetters.count({})).toBe(0);
  });
});
