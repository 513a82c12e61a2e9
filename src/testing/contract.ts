/** The contract of a delivery store, as cases that any test runner can run. */
import assert from 'node:assert/strict';
import type { DeadLetters } from '../delivery/dead-letters.js';
import { type Attempt, type Delivery, newDelivery } from '../delivery/delivery.js';
import type { Retention } from '../delivery/retention.js';
import type { ClaimRequest, ClaimResult, DeliveryStore } from '../delivery/store.js';
import { afterAttempt } from '../delivery/transition.js';

/** A store to try, empty and of the case's own. */
export interface StoreUnderTest {
  readonly store: DeliveryStore;
  /** Called after the case, however it went. */
  readonly close?: () => Promise<void>;
}

/** A store to try that has dead letters. */
export interface DeadLettersUnderTest extends StoreUnderTest {
  readonly deadLetters: DeadLetters;
}

/** A store to try that forgets on demand. */
export interface RetentionUnderTest extends DeadLettersUnderTest {
  readonly store: DeliveryStore & Retention;
}

/** One demand of a contract. */
export interface ContractCase {
  /** The demand, as a sentence. */
  readonly name: string;
  /** Rejects when the store does not meet it. */
  readonly run: () => Promise<void>;
}

/** Cases by their sentence. */
export type Cases<Subject> = Readonly<Record<string, (subject: Subject) => Promise<void>>>;

/** When the cases play; Unix ms. */
export const NOW = 1_700_000_000_000;
/** How long their leases last. */
export const LEASE_MS = 30_000;
/** What their deliveries carry. */
export const BODY = new TextEncoder().encode('{"id":"evt_1"}');

/** A new delivery of `event` to `endpoint`. */
export const fresh = (event: string, endpoint: string, at = NOW): Delivery =>
  newDelivery({ id: event, type: 'webhook.received' }, endpoint, { at });

/** Enqueues deliveries of any events, each with {@link BODY}. */
export const enqueue = (store: DeliveryStore, ...deliveries: readonly Delivery[]): Promise<number> =>
  store.enqueue(deliveries.map((delivery) => ({ body: BODY, deliveries: [delivery] })));

/** A claim of everything that is due, but for what `request` says. */
export function claim(
  store: DeliveryStore,
  lease: string,
  request: Partial<ClaimRequest> = {},
): Promise<ClaimResult> {
  const at = request.at ?? NOW;
  const until = at + LEASE_MS;
  return store.claim({ lease, at, until, limit: 100, perEndpoint: 100, inFlight: new Map(), ...request });
}

/** Ids of a claim, in its order. */
export const claimedIds = async (result: Promise<ClaimResult>): Promise<readonly string[]> =>
  (await result).claims.map(({ delivery }) => delivery.id);

/** Rejects unless a call rejects with an OptionError `invalid_option` that says what to give. */
export const refuses = (call: () => Promise<unknown>): Promise<void> =>
  assert.rejects(call, { name: 'OptionError', code: 'invalid_option', message: /give|takes/ });

/** The record, and its attempt, after an attempt that ended at `at` with `status`. */
export function attempted(
  delivery: Delivery,
  status: number,
  at: number,
  maxAttempts = 100,
): { delivery: Delivery; attempt: Attempt | null } {
  const outcome =
    status < 300
      ? { ok: true as const, status }
      : {
          ok: false as const,
          failure: 'http_status' as const,
          status,
          transient: true,
          detail: 'It said no – é😀',
        };
  const policy = { retry_max_attempts: maxAttempts, retry_backoff_base_seconds: 60 };
  const after = afterAttempt(delivery, { started_at: at - 5, ended_at: at, outcome }, policy);
  return { delivery: after, attempt: after.last_attempt };
}

/** Claims one delivery that is the only one due, and settles an attempt of it. */
export async function attemptOnly(
  store: DeliveryStore,
  status: number,
  at: number,
  maxAttempts?: number,
): Promise<Delivery> {
  const lease = `attempt at ${at}`;
  const [only] = (await claim(store, lease, { at, limit: 1 })).claims;
  if (only === undefined) throw new Error('Nothing was due where the case expects a delivery');
  const result = attempted(only.delivery, status, at, maxAttempts);
  await store.settle([{ lease, ...result }]);
  return result.delivery;
}
