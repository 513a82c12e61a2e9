/** The types of `headgate/delivery`. */
import { describe, expectTypeOf, test } from 'vitest';
import {
  type AttemptOutcome,
  createScheduler,
  type DeadLetterFilter,
  type Delivery,
  type DeliveryStore,
  defaultRetryPolicy,
  fanOut,
  type RetryPolicy,
  retryDelaySeconds,
  retrySchedule,
  type FanOutDecision,
  type Transition,
  type Transport,
} from '../../src/delivery/index.js';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createSigner } from '../../src/signing/index.js';
import { createSigner as createWebSigner } from '../../src/signing/web.js';
import type { Decision } from '../../src/rules/index.js';

declare const store: DeliveryStore;
declare const transport: Transport;
const endpoints = () => null;

describe('delivery', () => {
  test('a delay may be none', () => {
    expectTypeOf(retryDelaySeconds).returns.toEqualTypeOf<number | null>();
    expectTypeOf(retrySchedule).returns.toEqualTypeOf<readonly number[]>();
    expectTypeOf<RetryPolicy>().toEqualTypeOf<{
      readonly retry_max_attempts: number;
      readonly retry_backoff_base_seconds: number;
      readonly retry_after?: 'honor' | 'ignore';
      readonly retry_delays?: readonly number[] | null;
      readonly on_exhausted?: 'continue' | 'hold';
    }>();
  });

  test('a decision of the rules is a routing', () => {
    expectTypeOf<Decision>().toExtend<FanOutDecision>();
    expectTypeOf(fanOut).returns.toEqualTypeOf<readonly Delivery[]>();
  });

  test('both signers of headgate/signing sign for the scheduler, and so does a function that finds one', () => {
    const signer = createSigner({ secrets: 's' });
    createScheduler({ store, transport, endpoints, signer });
    createScheduler({ store, transport, endpoints, signer: createWebSigner({ secrets: 's' }) });
    createScheduler({ store, transport, endpoints, signer: () => signer });
    createScheduler({ store: createMemoryStore(), transport, endpoints: () => undefined, signer });
  });

  test('a function that finds the signer gets what the look-up returns', () => {
    createScheduler({
      ...{ store, transport },
      endpoints: (id) => (id === '' ? null : { url: id, ...defaultRetryPolicy, secrets: ['s'] }),
      signer: (_, { secrets }) => createSigner({ secrets }),
    });
  });

  test('what is required is required', () => {
    // @ts-expect-error a signer is required
    createScheduler({ store, transport, endpoints });
    const signer = { headers: () => ({}) };
    // @ts-expect-error an endpoint has a policy
    createScheduler({ store, transport, signer, endpoints: () => ({ url: 'https://a' }) });
  });

  test('an outcome has a status only where it has one', () => {
    expectTypeOf<Extract<AttemptOutcome, { ok: true }>>().toHaveProperty('status').toEqualTypeOf<number>();
    expectTypeOf<Extract<AttemptOutcome, { ok: false }>>()
      .toHaveProperty('transient')
      .toEqualTypeOf<boolean>();
    // @ts-expect-error a failure says why
    const outcome: AttemptOutcome = { ok: false, transient: true, detail: '' };
    expectTypeOf(outcome).toExtend<AttemptOutcome>();
  });

  test('a refused step is a value', () => {
    expectTypeOf<Extract<Transition, { ok: false }>['reason']>().toEqualTypeOf<
      'not_due' | 'finished' | 'lease_lost'
    >();
  });

  test('discarding every dead letter takes a word', () => {
    const { deadLetters } = createMemoryStore();
    void deadLetters.discard({ endpointId: 'a' });
    void deadLetters.discard({ all: true });
    void deadLetters.count({});
    // @ts-expect-error a condition, or all
    void deadLetters.discard({});
    // @ts-expect-error all is said, not computed
    void deadLetters.discard({ all: false });
    // @ts-expect-error a filter that may be empty may mean all
    void deadLetters.discard({} as DeadLetterFilter);
    // @ts-expect-error no such condition
    void deadLetters.discard({ endpoint_id: 'a' });
    // @ts-expect-error a condition has a value
    void deadLetters.discard({ endpointId: undefined });
  });

  test('records are read-only', () => {
    const delivery = {} as Delivery;
    // @ts-expect-error a record is never changed
    delivery.state = 'failed';
  });
});
