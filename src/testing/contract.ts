/** The cases of a store contract, and the helpers that they share. */
import assert from 'node:assert/strict';
import type { DeadLetters } from '../delivery/dead-letters.js';
import { type Attempt, type Delivery, newDelivery } from '../delivery/delivery.js';
import type { ClaimRequest, ClaimResult, DeliveryStore } from '../delivery/store.js';
import { type DeliveryStep, transition } from '../delivery/transition.js';

/**
 * An empty store for one case.
 *
 * @typeParam More - The methods that the contract needs besides those of every store.
 */
export interface StoreUnderTest<More = unknown> {
  readonly store: DeliveryStore & More;
  /**
   * Opens another store on the same data, as another process would; left out for a store that keeps its data to itself.
   */
  readonly another?: () => Promise<DeliveryStore>;
  /** Called after the case, whether it passed or failed. */
  readonly close?: () => Promise<void>;
}

/** An empty store with dead letters for one case. */
export interface DeadLettersUnderTest<More = unknown> extends StoreUnderTest<More> {
  readonly deadLetters: DeadLetters;
}

/** One requirement of a contract. */
export interface ContractCase {
  /** The requirement, as a sentence. */
  readonly name: string;
  /** Rejects when the store does not meet the requirement. */
  readonly run: () => Promise<void>;
}

/** Cases by their sentence. */
export type Cases<Subject> = Readonly<Record<string, (subject: Subject) => Promise<void>>>;

/** The time of the cases; Unix ms. */
export const NOW = 1_700_000_000_000;
/** The length of their leases. */
export const LEASE_MS = 30_000;
/** The body of their deliveries. */
export const BODY = new TextEncoder().encode('{"id":"evt_1"}');

/** A new delivery of `event` to `endpoint`. */
export const fresh = (event: string, endpoint: string, at = NOW): Delivery =>
  newDelivery({ id: event, type: 'webhook.received' }, endpoint, { at });

/** Deliveries of one endpoint, due one after another: more than a claim of a few reads. */
export const backlogOf = (endpoint: string, at: number): readonly Delivery[] =>
  Array.from({ length: 40 }, (_, n) => fresh(`evt_${endpoint}${n}`, endpoint, at + n));

/** Enqueues deliveries of any events, each with {@link BODY}. */
export const enqueue = (store: DeliveryStore, ...deliveries: readonly Delivery[]): Promise<number> =>
  store.enqueue(deliveries.map((delivery) => ({ body: BODY, deliveries: [delivery] })));

/** Claims all due deliveries, within the limits of `request`. */
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

/** Rejects unless a claim leased nothing, and named this instant as the next one. */
export async function nothingUntil(result: Promise<ClaimResult>, nextDueAt: number | null): Promise<void> {
  const { claims, ...left } = await result;
  assert.deepEqual([claims, left.nextDueAt], [[], nextDueAt]);
}

/** Rejects unless the call rejects with an OptionError `invalid_option` that says what to give. */
export const refuses = (call: () => Promise<unknown>): Promise<void> =>
  assert.rejects(call, { name: 'OptionError', code: 'invalid_option', message: /give|takes/ });

/** The record after a step. The cases compare stores with it, so `transition` is the one definition of every step. */
export function after(delivery: Delivery, step: DeliveryStep): Delivery {
  const result = transition(delivery, step);
  assert.ok(result.ok, 'the case takes a step that applies');
  return result.delivery;
}

/** The record of a lease that its holder gives back. */
export const released = (delivery: Delivery, due_at: number): Delivery =>
  after(delivery, { type: 'release', lease: leaseOf(delivery), due_at });

function leaseOf({ lease }: Delivery): string {
  assert.ok(lease !== null, 'the store has leased the delivery');
  return lease;
}

/** The record and the attempt after an attempt that ended at `at` with `status`. */
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
  const attempt = { started_at: at - 5, ended_at: at, outcome };
  const ended = after(delivery, { type: 'attempt', lease: leaseOf(delivery), attempt, policy });
  return { delivery: ended, attempt: ended.last_attempt };
}

/** Claims the only due delivery, and settles an attempt of it. */
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
