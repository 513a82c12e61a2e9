/** Ids of any text and of the greatest length, and the ids of replays. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Delivery, newDelivery, redelivery, transition } from '../../../src/delivery/index.js';
import { createFixture, type Fixture, quoted } from './schema.js';

/** Any JavaScript string, often with what databases and ids stumble over. */
const texts = () =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.string({
      unit: fc.constantFrom('\0', '\\', '\ud800', '\udc00', ':', '~', '"', "'", '{', ',', '0', 'é'),
      maxLength: 8,
    }),
  );

describe('any text', () => {
  let fixture: Fixture;
  beforeAll(async () => void (fixture = await createFixture()));
  afterAll(() => fixture.close());
  beforeEach(() =>
    fixture.pool.query(`truncate ${quoted(fixture.schema)}.deliveries, ${quoted(fixture.schema)}.bodies`),
  );

  test('is a part of a failure, with a replacement character for what a database cannot store', async () => {
    const { store } = fixture;
    const detail = 'é😀 \\ " \n';
    await store.enqueue([
      { body: new Uint8Array(), deliveries: [newDelivery({ id: 'e', type: 't' }, 'a', { at: 1 })] },
    ]);
    const request = {
      lease: 'l',
      at: 1,
      until: 2,
      limit: 9,
      perEndpoint: 9,
      inFlight: new Map<string, number>(),
    };
    const [claim] = (await store.claim(request)).claims;
    const outcome = { ok: false, failure: 'timeout', transient: true, detail: `${detail}\0\ud800` } as const;
    const attempt = { started_at: 1, ended_at: 1, outcome };
    const ended = transition(claim!.delivery, { type: 'attempt', lease: 'l', attempt, policy: null });
    if (!ended.ok) throw new Error('it was leased');
    const last = ended.delivery.last_attempt;
    expect(await store.settle([{ lease: 'l', delivery: ended.delivery, attempt: last }])).toEqual([true]);
    const recorded = (await store.get('e:a'))?.attempts[0]?.outcome;
    expect(recorded).toEqual({ ...outcome, detail: `${detail}\uFFFD\uFFFD` });
  });

  test('is an id, a type, an endpoint, a lease and a replay, and comes out as it went in', async () => {
    const { store } = fixture;
    const parts = fc.record({
      event: texts(),
      type: texts(),
      endpoint: texts(),
      lease: texts(),
      replay: texts(),
    });
    await fc.assert(
      fc.asyncProperty(parts, fc.uint8Array({ maxLength: 9 }), async (part, body) => {
        const { event, type, endpoint, lease, replay } = part;
        const delivery = newDelivery({ id: event, type }, endpoint, { at: 1 });
        const isNew = (await store.enqueue([{ body, deliveries: [delivery] }])) === 1;
        fc.pre(isNew);
        const request = {
          lease,
          at: 1,
          until: 2,
          limit: 9,
          perEndpoint: 9,
          inFlight: new Map([[`${endpoint}!`, 9]]),
        };
        const [claim] = (await store.claim(request)).claims;
        expect(claim!.delivery).toEqual({ ...delivery, state: 'leased', lease, due_at: 2 });
        expect([...claim!.body]).toEqual([...body]);
        const outcome = {
          ok: false,
          failure: 'timeout',
          transient: true,
          detail: 'no answer',
        } as const;
        const attempt = { started_at: 1, ended_at: 1, outcome };
        const ended = transition(claim!.delivery, { type: 'attempt', lease, attempt, policy: null });
        if (!ended.ok) throw new Error('it was leased');
        const last = ended.delivery.last_attempt;
        expect(await store.settle([{ lease, delivery: ended.delivery, attempt: last }])).toEqual([true]);
        expect(await store.get(delivery.id)).toEqual({ delivery: ended.delivery, attempts: [last] });

        const filter = { ids: [delivery.id], endpointId: endpoint, eventType: type };
        expect((await store.deadLetters.list(filter)).letters).toEqual([ended.delivery]);
        expect(await store.deadLetters.redeliver(filter, { at: 1, replay })).toBe(1);
        const again = redelivery(ended.delivery, { at: 1, replay });
        expect((await store.get(again.id))?.delivery).toEqual(again);
        const taken = await store.claim(request);
        expect(taken.claims.map((one) => one.delivery.id)).toEqual([again.id]);
        await store.settle([
          { lease, delivery: { ...again, state: 'delivered', due_at: null, finished_at: 2 }, attempt: null },
        ]);
      }),
      { numRuns: 100 },
    );
  });

  test('is paged through by its bytes, each letter once', async () => {
    const { store } = fixture;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(texts(), { maxLength: 9 }),
        fc.integer({ min: 1, max: 4 }),
        async (events, limit) => {
          await store.deadLetters.discard({ all: true });
          const replay = crypto.randomUUID();
          const letters = events.map((id) => newDelivery({ id, type: 'x' }, 'a', { at: 1, replay }));
          await store.enqueue([{ body: new Uint8Array(), deliveries: letters }]);
          await store.claim({ lease: 'l', at: 1, until: 2, limit: 99, perEndpoint: 99, inFlight: new Map() });
          const failed = { state: 'failed', due_at: null, finished_at: 3 } as const;
          await store.settle(
            letters.map((letter) => ({ lease: 'l', delivery: { ...letter, ...failed }, attempt: null })),
          );
          const seen: string[] = [];
          for (let cursor: string | undefined | null; cursor !== null;) {
            const page = await store.deadLetters.list(
              {},
              { limit, ...(cursor === undefined ? {} : { cursor }) },
            );
            seen.push(...page.letters.map(({ event_id }) => event_id));
            cursor = page.next;
          }
          expect(seen.toSorted()).toEqual(events.toSorted());
        },
      ),
      { numRuns: 30 },
    );
  });

  test('however much of it is enqueued and settled at once', async () => {
    const { store } = fixture;
    const count = 5_000;
    const dispatches = Array.from({ length: count }, (_, n) => ({
      body: Buffer.from(`${n % 100}`),
      deliveries: [newDelivery({ id: `evt_${n % 1_000}`, type: 'x' }, `endpoint ${n}`, { at: 1 })],
    }));
    expect(await store.enqueue(dispatches)).toBe(count);
    expect(await store.enqueue(dispatches)).toBe(0);
    const { rowCount } = await fixture.pool.query(`select from ${quoted(fixture.schema)}.bodies`);
    expect(rowCount).toBe(1_000);
  });

  test('of 2,600 bytes is an id, also of a letter; of longer ones nothing is stored, of their batch neither', async () => {
    const { store } = fixture;
    const random = (bytes: number) => randomBytes(bytes / 2).toString('hex');
    const long = newDelivery({ id: random(1_300), type: 'x' }, random(1_298) + 'a', { at: 1 });
    const short = newDelivery({ id: 'evt_1', type: 'x' }, 'a', { at: 1 });
    const deliver = (...deliveries: Delivery[]) => store.enqueue([{ body: Buffer.from(''), deliveries }]);
    expect(long.id).toHaveLength(2_600);
    await expect(deliver(short, { ...long, id: random(2_602) })).rejects.toMatchObject({
      code: 'invalid_option',
    });
    expect(await store.get(short.id)).toBeNull();
    expect(await deliver(long, short)).toBe(2);
    await store.claim({ lease: 'l', at: 1, until: 2, limit: 9, perEndpoint: 9, inFlight: new Map() });
    const failed = { state: 'failed', due_at: null, finished_at: 3 } as const;
    const letters = [long, short].map((one) => ({
      lease: 'l',
      delivery: { ...one, ...failed },
      attempt: null,
    }));
    expect(await store.settle(letters)).toEqual([true, true]);
    expect(await store.deadLetters.redeliver({}, { at: 4, replay: 'click' })).toBe(1);
    const { letters: left } = await store.deadLetters.list({ endpointId: long.endpoint_id });
    expect(left.map(({ id }) => id)).toEqual([long.id]);
  });
});
