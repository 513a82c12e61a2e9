/** Deliveries as rows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attemptsOf, deliveryOf, type DeliveryRow, historyLine } from '../../../src/adapters/sql/record.js';
import type { Attempt } from '../../../src/delivery/index.js';

const attempt = (): fc.Arbitrary<Attempt> =>
  fc.record({
    number: fc.integer({ min: 1, max: 100 }),
    started_at: fc.nat(),
    ended_at: fc.nat(),
    outcome: fc.record({
      ok: fc.constant(false as const),
      failure: fc.constant('timeout' as const),
      transient: fc.boolean(),
      detail: fc.string({ unit: 'binary' }),
    }),
  });

const row = (history: string): DeliveryRow => ({
  ...{
    id: 'e:a',
    event_id: 'e',
    event_type: 't',
    endpoint_id: 'a',
    origin: 'live',
    replay_of: null,
    state: 'pending',
  },
  ...{ attempts: '2', due_at: '1700000000000', lease: null, history, created_at: 5, finished_at: null },
});

test('a history reads as it was written, the last attempt by itself too', () => {
  fc.assert(
    fc.property(fc.array(attempt(), { maxLength: 6 }), (attempts) => {
      const history = attempts.map(historyLine).join('') + historyLine(null);
      expect(attemptsOf(history)).toEqual(attempts);
      expect(deliveryOf(row(history)).last_attempt).toEqual(attempts.at(-1) ?? null);
    }),
  );
});

test('integers may come as text', () => {
  expect(deliveryOf(row(''))).toMatchObject({
    attempts: 2,
    due_at: 1_700_000_000_000,
    created_at: 5,
    finished_at: null,
  });
});
