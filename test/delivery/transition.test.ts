/** Laws of the states of a delivery. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Delivery,
  type DeliveryStep,
  type RetryPolicy,
  retrySchedule,
  type Transition,
  transition,
} from '../../src/delivery/index.js';
import { attemptsOf, failure, liveDelivery, NOW, outcomes, policies, success } from './arbitraries.js';

const LEASE_MS = 30_000;
const MONTH_MS = 30 * 86_400_000;

/** A step as a test draws it: instants count from the delivery's creation, and the lease may be anybody's. */
type Drawn =
  | { readonly type: 'claim'; readonly lease: string; readonly after: number }
  | {
      readonly type: 'attempt';
      readonly lease: string;
      readonly after: number;
      readonly ok: boolean;
      readonly extra: number | null;
    }
  | { readonly type: 'release'; readonly lease: string; readonly after: number };

const leases = () => fc.constantFrom('one', 'two');
const instants = () => fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 0, max: 4e9 }));
const drawnSteps = (): fc.Arbitrary<readonly Drawn[]> =>
  fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('claim' as const), lease: leases(), after: instants() }),
      fc.record({
        type: fc.constant('attempt' as const),
        lease: leases(),
        after: instants(),
        ok: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
        extra: fc.option(fc.oneof(fc.integer({ min: -1_000, max: 90_000 }), fc.nat({ max: 5e9 }))),
      }),
      fc.record({ type: fc.constant('release' as const), lease: leases(), after: instants() }),
    ),
    { maxLength: 60 },
  );

function stepOf(drawn: Drawn, policy: RetryPolicy): DeliveryStep {
  const at = NOW + drawn.after;
  if (drawn.type === 'claim') return { type: 'claim', lease: drawn.lease, at, until: at + LEASE_MS };
  if (drawn.type === 'release') return { type: 'release', lease: drawn.lease, due_at: at };
  const outcome = drawn.ok ? success : failure();
  return {
    type: 'attempt',
    lease: drawn.lease,
    attempt: { started_at: at - 1, ended_at: at, outcome },
    policy,
    ...(drawn.extra !== null && { extra_ms: drawn.extra }),
  };
}

/** Plays any steps, legal or not, and tells of each what came before and after. */
function play(
  steps: readonly Drawn[],
  policy: RetryPolicy,
  look: (before: Delivery, step: DeliveryStep, result: Transition) => void,
): Delivery {
  return steps.reduce((delivery, drawn) => {
    const step = stepOf(drawn, policy);
    const result = transition(Object.freeze(delivery), step);
    look(delivery, step, result);
    return result.ok ? result.delivery : delivery;
  }, liveDelivery());
}

const isFinal = ({ state }: Delivery) => state === 'delivered' || state === 'failed';

describe('under any sequence of steps', () => {
  const always = (
    law: (before: Delivery, step: DeliveryStep, result: Transition, policy: RetryPolicy) => void,
  ) =>
    fc.assert(
      fc.property(drawnSteps(), policies(), (steps, policy) => {
        play(steps, policy, (before, step, result) => law(before, step, result, policy));
      }),
      { numRuns: 500 },
    );

  test('what is finished stays as it is', () => {
    always((before, _, result) => {
      if (isFinal(before)) expect(result).toEqual({ ok: false, reason: 'finished' });
    });
  });

  test('there are never more attempts than the policy allows', () => {
    always((_, __, result, policy) => {
      if (result.ok) expect(result.delivery.attempts).toBeLessThanOrEqual(attemptsOf(policy));
    });
  });

  test('fields agree: a lease only while leased, a due time until finished, an attempt once there was one', () => {
    always((_, __, result) => {
      if (!result.ok) return;
      const { state, lease, due_at, finished_at, attempts, last_attempt } = result.delivery;
      expect(lease !== null).toBe(state === 'leased');
      expect(due_at === null).toBe(isFinal(result.delivery));
      expect(finished_at !== null).toBe(isFinal(result.delivery));
      expect(last_attempt?.number ?? 0).toBe(attempts);
    });
  });

  test('only an attempt counts, and counts one', () => {
    always((before, step, result) => {
      const after = result.ok ? result.delivery : before;
      const counted = result.ok && step.type === 'attempt' ? 1 : 0;
      expect(after.attempts - before.attempts).toBe(counted);
    });
  });

  test('who has no lease changes nothing', () => {
    always((before, step, result) => {
      if (step.type === 'claim' || isFinal(before) || before.lease === step.lease) return;
      expect(result).toEqual({ ok: false, reason: 'lease_lost' });
    });
  });

  test('a claim succeeds exactly when the delivery is due, and holds until the lease ends', () => {
    always((before, step, result) => {
      if (step.type !== 'claim' || before.due_at === null) return;
      expect(result.ok).toBe(before.due_at <= step.at);
      if (result.ok) expect(result.delivery).toMatchObject({ due_at: step.until, lease: step.lease });
    });
  });

  test('the next attempt is due by the schedule, from the end of the one that failed, or as much later as asked', () => {
    always((before, step, result, policy) => {
      if (!result.ok || step.type !== 'attempt' || isFinal(result.delivery)) return;
      const delayMs =
        (retrySchedule(policy)[before.attempts] ?? NaN) * 1_000 + Math.max(step.extra_ms ?? 0, 0);
      expect(result.delivery.due_at).toBe(step.attempt.ended_at + Math.min(delayMs, MONTH_MS));
    });
  });

  test('it fails exactly when the last attempt of the policy fails', () => {
    always((before, step, result, policy) => {
      if (!result.ok || step.type !== 'attempt') return;
      const last = before.attempts + 1 >= attemptsOf(policy);
      expect(result.delivery.state === 'failed').toBe(last && !step.attempt.outcome.ok);
      expect(result.delivery.state === 'delivered').toBe(step.attempt.outcome.ok);
    });
  });

  test('what names the delivery never changes', () => {
    always((before, _, result) => {
      if (!result.ok) return;
      const { id, event_id, event_type, endpoint_id, origin, replay_of, created_at } = before;
      expect(result.delivery).toMatchObject({
        ...{ id, event_id, event_type, endpoint_id, origin, replay_of, created_at },
      });
    });
  });
});

/** Attempts a delivery whenever it is due, each attempt taking a second, until it is finished. */
function runToEnd(policies: readonly RetryPolicy[], ok: (attempt: number) => boolean): Delivery {
  let delivery = liveDelivery();
  for (let n = 0; delivery.due_at !== null; n++) {
    const started_at = delivery.due_at;
    const claimed = transition(delivery, {
      type: 'claim',
      lease: 'l',
      at: started_at,
      until: started_at + LEASE_MS,
    });
    if (!claimed.ok) throw new Error(claimed.reason);
    const attempt = { started_at, ended_at: started_at + 1_000, outcome: ok(n + 1) ? success : failure() };
    const policy = policies[Math.min(n, policies.length - 1)] ?? null;
    const settled = transition(claimed.delivery, { type: 'attempt', lease: 'l', attempt, policy });
    if (!settled.ok) throw new Error(settled.reason);
    delivery = settled.delivery;
  }
  return delivery;
}

describe('a whole life', () => {
  test('that never succeeds takes every attempt, and the sum of the schedule', () => {
    fc.assert(
      fc.property(policies(), (policy) => {
        const failed = runToEnd([policy], () => false);
        const delays = retrySchedule(policy).reduce((sum, delay) => sum + delay, 0);
        expect(failed).toMatchObject({ state: 'failed', attempts: attemptsOf(policy) });
        expect(failed.finished_at).toBe(NOW + (delays + attemptsOf(policy)) * 1_000);
      }),
    );
  });

  test('ends with the first success', () => {
    fc.assert(
      fc.property(policies(), fc.integer({ min: 1, max: 100 }), (policy, nth) => {
        const end = runToEnd([policy], (attempt) => attempt === nth);
        const reached = nth <= attemptsOf(policy);
        expect(end.state).toBe(reached ? 'delivered' : 'failed');
        expect(end.attempts).toBe(Math.min(nth, attemptsOf(policy)));
      }),
    );
  });

  const five = { retry_max_attempts: 5, retry_backoff_base_seconds: 60 };
  const two = { retry_max_attempts: 2, retry_backoff_base_seconds: 1 };
  test.for([
    {
      edits: [five, five, five, two],
      attempts: 4,
      because: 'a policy cut short ends with the attempt under way',
    },
    { edits: [two, five], attempts: 5, because: 'a longer one holds from the next attempt on' },
    { edits: [five, two], attempts: 2, because: 'so does a shorter one' },
  ])('$attempts attempts: $because', ({ edits, attempts }) => {
    expect(runToEnd(edits, () => false)).toMatchObject({ state: 'failed', attempts });
  });
});

test('an endpoint that is gone ends the delivery, whatever is left of its policy', () => {
  const leased: Delivery = { ...liveDelivery(), state: 'leased', lease: 'l', due_at: NOW + LEASE_MS };
  const attempt = { started_at: NOW, ended_at: NOW, outcome: failure('endpoint_gone', false) };
  expect(transition(leased, { type: 'attempt', lease: 'l', attempt, policy: null })).toMatchObject({
    ok: true,
    delivery: { state: 'failed', attempts: 1, finished_at: NOW },
  });
});

test('an attempt is kept whole, with its number', () => {
  fc.assert(
    fc.property(outcomes(), fc.nat(98), (outcome, attempts) => {
      const leased: Delivery = { ...liveDelivery(), state: 'leased', lease: 'l', attempts };
      const attempt = { started_at: NOW, ended_at: NOW + 9, outcome };
      const policy = { retry_max_attempts: 100, retry_backoff_base_seconds: 1 };
      const result = transition(leased, { type: 'attempt', lease: 'l', attempt, policy });
      expect(result).toMatchObject({ delivery: { last_attempt: { ...attempt, number: attempts + 1 } } });
    }),
  );
});

describe('step by step', () => {
  const policy = { retry_max_attempts: 2, retry_backoff_base_seconds: 60 };
  const at = NOW;
  const claim = (now: number, lease: string) =>
    ({ type: 'claim', lease, at: now, until: now + 30_000 }) as const;
  const after = (delivery: Delivery, step: DeliveryStep): Delivery => {
    const result = transition(delivery, step);
    if (!result.ok) throw new Error(result.reason);
    return result.delivery;
  };
  const leased = after(liveDelivery(), claim(at, 'l1'));
  const attempt = { started_at: at, ended_at: at + 500, outcome: failure() };

  test('a claim leases', () => {
    expect(leased).toMatchObject({ state: 'leased', lease: 'l1', due_at: at + 30_000, attempts: 0 });
    expect(transition(liveDelivery(), claim(at - 1, 'l1'))).toEqual({ ok: false, reason: 'not_due' });
  });

  test('a release is as if nothing had been', () => {
    const released = transition(leased, { type: 'release', lease: 'l1', due_at: at + 5 });
    expect(released).toEqual({ ok: true, delivery: { ...liveDelivery(), due_at: at + 5 } });
  });

  test('a failed attempt waits for the next, and the last one fails', () => {
    const waiting = after(leased, { type: 'attempt', lease: 'l1', attempt, policy });
    expect(waiting).toMatchObject({
      state: 'pending',
      lease: null,
      due_at: at + 500 + 60_000,
      attempts: 1,
      finished_at: null,
    });
    const again = after(waiting, claim(at + 60_500, 'l2'));
    const failed = after(again, { type: 'attempt', lease: 'l2', attempt, policy });
    expect(failed).toMatchObject({
      state: 'failed',
      lease: null,
      due_at: null,
      attempts: 2,
      finished_at: at + 500,
    });
    expect(transition(failed, claim(at + 1e9, 'l3'))).toEqual({ ok: false, reason: 'finished' });
  });

  test('a success delivers', () => {
    const delivered = after(leased, {
      type: 'attempt',
      lease: 'l1',
      attempt: { ...attempt, outcome: success },
      policy,
    });
    expect(delivered).toMatchObject({
      state: 'delivered',
      lease: null,
      due_at: null,
      attempts: 1,
      finished_at: at + 500,
    });
  });
});

describe('ordering keys', () => {
  const keyed: Delivery = { ...liveDelivery(), ordering_key: 'k' };
  const leased = (delivery: Delivery): Delivery => ({ ...delivery, state: 'leased', lease: 'one' });
  const policy = (on_exhausted?: 'continue' | 'hold'): RetryPolicy => ({
    ...{ retry_max_attempts: 1, retry_backoff_base_seconds: 1 },
    ...(on_exhausted !== undefined && { on_exhausted }),
  });
  const after = (delivery: Delivery, ok: boolean, of: RetryPolicy | null): Delivery => {
    const attempt = { started_at: NOW, ended_at: NOW, outcome: ok ? success : failure() };
    const result = transition(leased(delivery), { type: 'attempt', lease: 'one', attempt, policy: of });
    if (!result.ok) throw new Error(result.reason);
    return result.delivery;
  };

  test('a delivery that waits is not due, whatever the time', () => {
    const step = { type: 'claim', lease: 'one', at: NOW + MONTH_MS, until: NOW + 2 * MONTH_MS } as const;
    expect(transition({ ...keyed, state: 'waiting' }, step)).toEqual({ ok: false, reason: 'not_due' });
    expect(transition(keyed, step).ok).toBe(true);
  });

  test('a dead letter holds its key where the policy says so', () => {
    expect(after(keyed, false, policy('hold'))).toMatchObject({ state: 'failed', holds_key: true });
    for (const of of [policy('continue'), policy(), null]) {
      expect(after(keyed, false, of)).not.toHaveProperty('holds_key');
    }
    expect(after(keyed, true, policy('hold'))).not.toHaveProperty('holds_key');
    expect(after(liveDelivery(), false, policy('hold'))).not.toHaveProperty('holds_key');
  });

  test('a replay holds a key only if it held it before, until it is delivered', () => {
    const replay: Delivery = { ...keyed, origin: 'replay' };
    expect(after(replay, false, policy('hold'))).not.toHaveProperty('holds_key');
    const holder = { ...replay, holds_key: true };
    expect(after(holder, false, { ...policy('hold'), retry_max_attempts: 2 })).toMatchObject({
      state: 'pending',
      holds_key: true,
    });
    expect(after(holder, false, policy('hold'))).toMatchObject({ state: 'failed', holds_key: true });
    expect(after(holder, true, policy('hold'))).not.toHaveProperty('holds_key');
    expect(after(holder, false, policy('continue'))).not.toHaveProperty('holds_key');
  });
});
