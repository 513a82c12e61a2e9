/** Arbitraries and examples of deliveries, policies and outcomes. */
import fc from 'fast-check';
import { type Delivery, newDelivery, type RetryPolicy } from '../../src/delivery/index.js';
import type { AttemptOutcome, FailureCode } from '../../src/delivery/index.js';

export const NOW = 1_700_000_000_000;

/** Any policy within its bounds; small ones as often as large ones, some with delays of their own. */
export const policies = (): fc.Arbitrary<RetryPolicy> =>
  fc
    .tuple(doublingPolicies(), fc.option(delayLists(), { freq: 2 }))
    .map(([policy, retry_delays]) => ({ ...policy, ...(retry_delays !== null && { retry_delays }) }));

/** Attempts that a policy allows. */
export const attemptsOf = ({ retry_delays, retry_max_attempts }: RetryPolicy): number =>
  retry_delays ? retry_delays.length + 1 : retry_max_attempts;

/** Delays that a policy may list. */
export const delayLists = (): fc.Arbitrary<readonly number[]> =>
  fc.array(fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 2_592_000 })), {
    minLength: 1,
    maxLength: 20,
  });

/** Any policy whose delays double. */
export const doublingPolicies = (): fc.Arbitrary<RetryPolicy> =>
  fc.record({
    retry_max_attempts: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 100 })),
    retry_backoff_base_seconds: fc.oneof(
      fc.integer({ min: 1, max: 90 }),
      fc.integer({ min: 1, max: 86_400 }),
    ),
  });

export const failure = (code: FailureCode = 'timeout', transient = true): AttemptOutcome => ({
  ok: false,
  failure: code,
  transient,
  detail: 'It failed',
});

export const success: AttemptOutcome = { ok: true, status: 204 };

export const outcomes = (): fc.Arbitrary<AttemptOutcome> =>
  fc.oneof(
    fc.constant(success),
    fc.constantFrom(failure('timeout'), failure('http_status'), failure('address_refused', false)),
  );

export const liveDelivery = (event = 'evt_1', endpoint = 'endpoint-1', at = NOW): Delivery =>
  newDelivery({ id: event, type: 'webhook.received' }, endpoint, { at });
