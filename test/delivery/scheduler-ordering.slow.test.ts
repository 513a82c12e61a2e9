/** Deliveries with ordering keys, sent by schedulers to receivers that fail, hang and answer late. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import {
  type AttemptRequest,
  type DeliverySigner,
  newDelivery,
  type RetryPolicy,
  type Transport,
} from '../../src/delivery/index.js';
import { createManualClock, type ScriptedAnswer } from '../../src/testing/index.js';
import { NOW } from './arbitraries.js';
import { BODY, endpointOf, eventOf, setStage, type Stage } from './stage.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const policy: RetryPolicy = { retry_max_attempts: 3, retry_backoff_base_seconds: 5 };

const keyed = (event: string, key: string | null = 'k', endpoint = 'a', at = NOW) =>
  newDelivery({ id: event, type: 'x' }, endpoint, { at, orderingKey: key });

describe('a scheduler', () => {
  test('sends deliveries of a key one after another, without polling', async () => {
    const stage = setStage({ answer: () => ({ outcome: 204, afterMs: 100 }) });
    stage.scheduler.start();
    await stage.enqueue(
      ...[1, 2, 3].map((n) => keyed(`evt_${n}`)),
      keyed('evt_4', null),
      keyed('evt_5', 'l'),
    );
    await stage.clock.advance(MINUTE);
    const sent = stage.sent().map(([ms, event]) => `${event} at ${ms}`);
    expect(sent.toSorted()).toEqual([
      'evt_1 at 0',
      'evt_2 at 100',
      'evt_3 at 200',
      'evt_4 at 0',
      'evt_5 at 0',
    ]);
  });

  test('is idle once the last delivery of a key is delivered, and while a dead letter holds the key', async () => {
    const hold = { ...policy, retry_max_attempts: 1, on_exhausted: 'hold' } as const;
    const answer = (request: AttemptRequest) => ({
      outcome: eventOf(request) === 'evt_2' ? 500 : 204,
      afterMs: 9,
    });
    const stage = setStage({ answer, policy: hold });
    stage.scheduler.start();
    await stage.enqueue(keyed('evt_1'), keyed('evt_2'), keyed('evt_3'));
    const idle = stage.scheduler.idle();
    await stage.clock.advance(MINUTE);
    await idle;
    expect(stage.sent().map(([, event]) => event)).toEqual(['evt_1', 'evt_2']);
    const letter = stage.told.find(([name]) => name === 'deadLettered')?.[1];
    expect(letter).toMatchObject({ event_id: 'evt_2', holds_key: true, ordering_key: 'k' });
    await stage.store.deadLetters.discard({ all: true });
    stage.scheduler.wake();
    await stage.clock.advance(MINUTE);
    expect(stage.sent().map(([, event]) => event)).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });

  test('reserves no delivery with a key', async () => {
    const stage = setStage();
    stage.scheduler.start();
    await stage.clock.advance(1);
    const [one, two] = [keyed('evt_1'), keyed('evt_2', null, 'b')];
    const reservation = stage.scheduler.reserve([{ body: BODY, deliveries: [one, two] }]);
    const states = reservation.dispatches.flatMap(({ deliveries }) => deliveries.map(({ state }) => state));
    expect(states).toEqual(['pending', 'leased']);
    expect(reservation.isPartial).toBe(true);
    reservation.release();
  });
});

/** How a receiver treats a request. */
type Treatment = 'ok' | 'fail' | 'late' | 'hang';
const answers: Readonly<Record<Treatment, ScriptedAnswer>> = {
  ok: { outcome: 204 },
  fail: { outcome: 503, afterMs: 50 },
  late: { outcome: 204, afterMs: 9_000 },
  // For longer than a lease: the attempt is given up, and repeated.
  hang: { outcome: 204, afterMs: 40_000 },
};

/** Notes two deliveries of a key that are in flight at the same time. */
function watched(keyOf: (request: AttemptRequest) => string | null, faults: string[]) {
  const flying = new Map<string, Set<string>>();
  return (transport: Transport): Transport => ({
    ...transport,
    send: async (request, signal) => {
      const key = keyOf(request);
      const events = flying.get(key ?? '') ?? new Set();
      if (key !== null) flying.set(key, events.add(eventOf(request)));
      if (key !== null && events.size > 1) faults.push(`${key}: ${[...events].join(' and ')}`);
      try {
        return await transport.send(request, signal);
      } finally {
        events.delete(eventOf(request));
      }
    },
  });
}

test('whatever receivers do, each key arrives in order, one delivery at a time, and nothing is stuck', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          key: fc.constantFrom(null, 'k', 'l', 'm'),
          endpoint: fc.constantFrom('a', 'b'),
          afterMs: fc.constantFrom(0, 0, 20, 8_000, 70_000),
        }),
        { minLength: 1, maxLength: 30 },
      ),
      fc.infiniteStream(fc.constantFrom<Treatment>('ok', 'ok', 'ok', 'fail', 'fail', 'late', 'hang')),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom('continue' as const, 'hold' as const),
      async (events, treatments, schedulers, on_exhausted) => {
        const [clock, store] = [createManualClock(NOW), createMemoryStore()];
        const faults: string[] = [];
        const keys = new Map(events.map(({ key, endpoint }, n) => [`evt_${n}`, key && `${endpoint} ${key}`]));
        // Redeliveries are ordered only if their letters have held the key.
        const isOrdered = ({ headers }: AttemptRequest) =>
          on_exhausted === 'hold' || headers.origin === 'live';
        const keyOf = (request: AttemptRequest) =>
          isOrdered(request) ? (keys.get(eventOf(request)) ?? null) : null;
        const transport = watched(keyOf, faults);
        const signer: DeliverySigner = {
          headers: (_, { eventId, origin }) => ({ 'Svc-Event-Id': eventId, origin }),
        };
        const arrived: AttemptRequest[] = [];
        const answer = (request: AttemptRequest): ScriptedAnswer => {
          arrived.push(request);
          return answers[treatments.next().value as Treatment];
        };
        const stages = Array.from({ length: schedulers }, (): Stage =>
          setStage({
            ...{ clock, store, answer, transport, signer, pollMs: 5_000 },
            policy: { ...policy, on_exhausted },
          }),
        );
        for (const { scheduler } of stages) scheduler.start();
        for (const [n, { key, endpoint, afterMs }] of events.entries()) {
          const [first] = stages as [Stage];
          await first.enqueue(keyed(`evt_${n}`, key, endpoint, clock.now()));
          await clock.advance(afterMs);
        }
        for (let rounds = 0; rounds <= events.length; rounds++) {
          await clock.advance(HOUR);
          if ((await store.deadLetters.count({})) === 0) break;
          const replay = { at: clock.now(), replay: `r${rounds}` };
          await (rounds % 2 === 0
            ? store.deadLetters.redeliver({}, replay)
            : store.deadLetters.discard({ all: true }));
        }
        await clock.advance(events.length * HOUR);
        expect(store.size().unfinished).toBe(0);
        expect(faults).toEqual([]);
        for (const name of new Set(keys.values())) {
          const all = [...keys].flatMap(([event, key]) => (key === name ? event : []));
          const seen = new Set(arrived.map(eventOf).filter((event) => keys.get(event) === name));
          if (name !== null) expect([...seen]).toEqual(all);
          else expect([...seen].toSorted()).toEqual(all.toSorted());
        }
        expect(new Set(arrived.map(endpointOf)).size).toBe(
          new Set(events.map(({ endpoint }) => endpoint)).size,
        );
        await Promise.all(stages.map(({ scheduler }) => scheduler.stop()));
      },
    ),
    { numRuns: 60 },
  );
});
