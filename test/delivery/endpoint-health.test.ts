/** The health of endpoints from their attempts, and a host that stores `failing_since`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttemptOutcome } from '../../src/delivery/index.js';
import { healthSign, readFailingSince } from '../../src/delivery/endpoint-health.js';
import { failure, NOW, success } from './arbitraries.js';

const DAY = 86_400_000;
const DAYS = 5;

/** Outcomes of attempts, each some time after the one before. */
const histories = (): fc.Arbitrary<readonly Lived[]> =>
  fc.array(
    fc.record({
      outcome: fc.constantFrom(
        success,
        failure('timeout'),
        failure('http_status'),
        failure('address_refused', false),
        failure('internal_error'),
        failure('endpoint_gone', false),
      ),
      afterMs: fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 3 * DAY })),
      heard: fc.boolean(),
    }),
    { maxLength: 40 },
  );

interface Lived {
  readonly outcome: AttemptOutcome;
  readonly afterMs: number;
  /** Whether the host took note of what it was told. */
  readonly heard: boolean;
}

const isOurs = (outcome: AttemptOutcome): boolean =>
  !outcome.ok && ['internal_error', 'endpoint_gone'].includes(outcome.failure);

/** Plays a history to a host that does as the callbacks say, and looks at each step. */
function live(
  history: readonly Lived[],
  look: (step: {
    readonly before: number | null;
    readonly after: number | null;
    readonly at: number;
    readonly outcome: AttemptOutcome;
    readonly sign: string | undefined;
  }) => void,
  misses = false,
): void {
  let failingSince: number | null = null;
  let at = NOW;
  for (const { outcome, afterMs, heard } of history) {
    at += afterMs;
    const before = failingSince;
    const told = healthSign(before, { ended_at: at, outcome }, DAYS);
    if (heard || !misses) {
      if (told?.sign === 'failing') failingSince = told.since;
      if (told?.sign === 'recovered') failingSince = null;
    }
    look({ before, after: failingSince, at, outcome, sign: told?.sign });
  }
}

describe('a host that does what it is told', () => {
  const always = (law: Parameters<typeof live>[1]) =>
    fc.assert(
      fc.property(histories(), (history) => live(history, law)),
      { numRuns: 500 },
    );

  test('holds the endpoint for failing from its first failure after the last success, and for nothing else', () => {
    fc.assert(
      fc.property(histories(), (history) => {
        let since: number | null = null;
        live(history, ({ after, at, outcome }) => {
          if (outcome.ok) since = null;
          else if (!isOurs(outcome)) since ??= at;
          expect(after).toBe(since);
        });
      }),
      { numRuns: 500 },
    );
  });

  test('is told to pause exactly at failures that many days after that', () => {
    always(({ before, at, outcome, sign }) => {
      const tooLong = !outcome.ok && !isOurs(outcome) && before !== null && at - before >= DAYS * DAY;
      expect(sign === 'exhausted').toBe(tooLong);
    });
  });

  test('hears nothing that changes nothing, save for the call to pause', () => {
    always(({ before, after, sign }) => {
      if (sign !== 'exhausted') expect(sign !== undefined).toBe(before !== after);
    });
  });
});

test('a host that missed a call hears it again from the next attempt of the kind', () => {
  fc.assert(
    fc.property(histories(), (history) => {
      live(
        history,
        ({ before, outcome, sign }) => {
          if (isOurs(outcome)) return;
          if (before === null) expect(sign).toBe(outcome.ok ? undefined : 'failing');
          if (before !== null && outcome.ok) expect(sign).toBe('recovered');
        },
        true,
      );
    }),
    { numRuns: 500 },
  );
});

test.for([
  { since: NOW, after: DAYS * DAY - 1, sign: undefined },
  { since: NOW, after: DAYS * DAY, sign: 'exhausted' },
  { since: NOW + DAYS * DAY, after: 0, sign: undefined, because: 'the clock was set back' },
])('failing since $since, a failure $after ms later says $sign', ({ since, after, sign }) => {
  expect(healthSign(since, { ended_at: NOW + after, outcome: failure() }, DAYS)?.sign).toBe(sign);
});

describe('failing_since of a database', () => {
  test('is read as a number, a bigint, text, a date, and text with a zone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (at) => {
        const date = new Date(at);
        const iso = date.toISOString();
        const zoned = [iso, iso.replace('T', ' ').replace('Z', '+00'), iso.replace('Z', '+00:00')];
        for (const given of [at, BigInt(at), `${at}`, date, ...zoned]) {
          expect(readFailingSince(given)).toBe(at);
        }
      }),
    );
    expect(readFailingSince('2026-11-22 20:54:52.5+05:30')).toBe(Date.UTC(2026, 10, 22, 15, 24, 52, 500));
  });

  test.for([
    '',
    'soon',
    '2026-11-22',
    '2026-11-22 20:54:52',
    '-5',
    '1e3',
    '9'.repeat(17),
    NaN,
    Infinity,
    {},
    [],
    true,
  ])('%o is refused', (given) => {
    expect(readFailingSince(given)).toBeNaN();
  });

  test('null is none', () => {
    expect(readFailingSince(null)).toBeNull();
  });
});
