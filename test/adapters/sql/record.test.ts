/** Deliveries and attempts as rows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attemptOf, type AttemptRow, attemptRow, deliveryOf } from '../../../src/adapters/sql/record.js';
import { Columns } from '../../../src/delivery/columns.js';
import { type Attempt, newDelivery } from '../../../src/delivery/index.js';

const outcome = (): fc.Arbitrary<Attempt['outcome']> =>
  fc.oneof(
    fc.record({ ok: fc.constant(true as const), status: fc.integer({ min: 200, max: 299 }) }),
    fc.record(
      {
        ok: fc.constant(false as const),
        failure: fc.constant('timeout' as const),
        transient: fc.boolean(),
        detail: fc.string(),
        status: fc.integer({ min: 0, max: 999 }),
        retry_after_seconds: fc.nat(),
      },
      { requiredKeys: ['ok', 'failure', 'transient', 'detail'] },
    ),
  );

const attempts = (): fc.Arbitrary<Attempt> =>
  fc.record(
    {
      number: fc.integer({ min: 1, max: 100 }),
      started_at: fc.nat(),
      ended_at: fc.nat(),
      outcome: outcome(),
      url: fc.webUrl(),
    },
    { requiredKeys: ['number', 'started_at', 'ended_at', 'outcome'] },
  );

/** The row of an attempt as drivers give it: one has truth values, the other 0 and 1, and one has integers as text. */
function rowOf(attempt: Attempt | null, driver: 'sqlite' | 'postgres'): AttemptRow {
  const { url } = attempt ?? {};
  const settlement = { lease: '', delivery: newDelivery({ id: '', type: '' }, '', { at: 0 }), attempt };
  const row = attemptRow({ ...settlement, ...(url !== undefined && { url }) }, { keepUrl: (kept) => kept });
  const given = (value: unknown): unknown => {
    if (driver === 'sqlite') return typeof value === 'boolean' ? Number(value) : value;
    return typeof value === 'number' ? String(value) : value;
  };
  const entries = Object.entries(row).map(([name, value]) => [`a_${name}`, given(value)]);
  return Object.fromEntries(entries) as AttemptRow;
}

test.each(['sqlite', 'postgres'] as const)(
  'an attempt reads as it was written, by the driver of %s',
  (driver) => {
    fc.assert(
      fc.property(attempts(), (attempt) => {
        expect(attemptOf(rowOf(attempt, driver))).toEqual(attempt);
      }),
    );
    expect(attemptOf(rowOf(null, driver))).toBeNull();
  },
);

test('integers may come as text, those of a column of the user, too', () => {
  const row = {
    ...{ id: 'e:a', event_id: 'e', event_type: 't', endpoint_id: 'a', origin: 'live', replay_of: null },
    ...{
      state: 'pending',
      attempts: '0',
      due_at: '1700000000000',
      lease: null,
      created_at: 5,
      finished_at: null,
      ordering_key: null,
      holds_key: null,
    },
    ...{ ...rowOf(null, 'postgres'), c_size: '9007199254740991', c_tenant: 'x' },
  };
  expect(deliveryOf(row, new Columns({ size: 'integer', tenant: 'text', other: 'text' }))).toMatchObject({
    ...{ attempts: 0, due_at: 1_700_000_000_000, created_at: 5, finished_at: null },
    columns: { size: 9_007_199_254_740_991, tenant: 'x', other: null },
  });
});
