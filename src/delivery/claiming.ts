/** One claim after another: asks the store for due deliveries and begins their attempts. */
import { count } from './bodies-in-flight.js';
import type { ByteBudget } from './byte-budget.js';
import type { Tell } from './callbacks.js';
import type { Delivery } from './delivery.js';
import { type Flights, GRACE_MS, type Reserved } from './flights.js';
import type { Rates } from './rates.js';
import type { SchedulerSettings } from './scheduler-options.js';
import { storeBackoffMs } from './settlements.js';
import {
  createReservation,
  leaseSome,
  type Reservation,
  type ReserveOptions,
  unreserved,
} from './reservation.js';
import type { Claim, ClaimRequest, Dispatch } from './store.js';
import type { ClaimAnswer } from './store-answers.js';
import { GIVEN_UP, type StoreCalls } from './store-calls.js';

/** Longest wait before the store is asked again, when it names a past instant as the next one and gives nothing. */
const MAX_EMPTY_POLL_MS = 16;

/** The scheduler's other parts, which a claim reads and acts on. */
export interface ClaimingParts {
  readonly settings: SchedulerSettings;
  readonly calls: StoreCalls;
  readonly flights: Flights;
  readonly rates: Rates;
  readonly tell: Tell;
  /** False once the scheduler was stopped: deliveries that are claimed then go back to the store. */
  readonly isRunning: () => boolean;
}

/** How a claim ended. */
export type ClaimEnd =
  /** No slot is free, or no room for bytes; an attempt that ends brings the next claim. */
  | { readonly type: 'full' }
  /** Nothing more can be claimed before `nextAt`; Unix ms, `Infinity` where nothing waits. */
  | { readonly type: 'drained'; readonly nextAt: number }
  /** The store failed; it may be asked again at `retryAt`, in Unix ms. */
  | { readonly type: 'failed'; readonly retryAt: number };

/** Makes the claims of one scheduler, one at a time. Made with the scheduler, which calls it in every look. */
export class Claiming {
  readonly #parts: ClaimingParts;
  /** Begins every lease's token. Drawn with the first claim: Workers have no randomness while a module loads. */
  #worker: string | null = null;
  #claims = 0;
  /** Claims in a row that failed. */
  #failures = 0;
  /** Claims in a row that gave nothing, although the store had named a past instant. */
  #emptyPolls = 0;
  #filledEverySlot = false;
  /** True while the store is asked. */
  #isAsking = false;
  /** Whether the last claim left nothing that is due at an endpoint with a free slot. */
  #isCaughtUp = false;
  /** Whether the last claim may have left deliveries for another reason than that their endpoints were full. */
  #isRestrained = true;
  /** Endpoints that may have due deliveries that no claim has looked for since: those come before new ones. */
  #behind = new Set<string>();

  constructor(parts: ClaimingParts) {
    this.#parts = parts;
  }

  /** Whether the last claim filled every slot, so that more may wait than there are slots. */
  get filledEverySlot(): boolean {
    return this.#filledEverySlot;
  }

  /**
   * Whether the end of an attempt lets deliveries be claimed that the last claim had to leave. If not, nothing can be
   * claimed before the instant that it named.
   *
   * @param ended - The record of the attempt's delivery.
   */
  mayClaimAfter({ endpoint_id: endpoint, state, ordering_key: key = null }: Delivery): boolean {
    // The last claim did not know when a retry is due, nor that the next delivery of a key may be sent.
    const isNews = state === 'pending' || key !== null;
    return !this.#isCaughtUp || this.#isRestrained || isNews || this.#behind.has(endpoint);
  }

  /** Claims as many as there are free slots. Never rejects. */
  async claim(): Promise<ClaimEnd> {
    const { settings, calls, flights } = this.#parts;
    const limit = settings.concurrency - flights.size;
    const bytes = flights.byteBudget();
    if (limit === 0 || bytes.inFlight >= bytes.max) {
      this.#isCaughtUp = false;
      return { type: 'full' };
    }
    const request = this.#request(limit, bytes);
    const before = this.#behind;
    this.#behind = fullEndpoints(request.inFlight, request.perEndpoint);
    this.#isAsking = true;
    let answer: ClaimAnswer;
    try {
      answer = await calls.claim(request);
    } catch (error) {
      this.#isCaughtUp = false;
      this.#addBehind(before);
      if (error === GIVEN_UP) return { type: 'drained', nextAt: settings.clock.now() };
      return this.#failed(error);
    } finally {
      this.#isAsking = false;
    }
    this.#reportDamage(answer, request);
    this.#take(answer.claims, request);
    if (answer.fault !== null) {
      this.#isCaughtUp = false;
      this.#addBehind(before);
      return this.#failed(answer.fault);
    }
    this.#failures = 0;
    this.#isRestrained = answer.isRestrained;
    this.#filledEverySlot = answer.claims.length >= limit;
    const nextAt = this.#nextAt(answer);
    this.#isCaughtUp = !this.#filledEverySlot && (answer.nextDueAt ?? Infinity) > request.at;
    this.#addBehind(this.#isCaughtUp ? this.#full(request, answer.claims) : before);
    return this.#filledEverySlot ? { type: 'full' } : { type: 'drained', nextAt };
  }

  /**
   * Leases new deliveries that the host is about to enqueue, as far as there are free slots, which saves their claim.
   * None of an endpoint that may have older ones: those come first. Nor any while the last claim left some.
   */
  reserve(
    dispatches: readonly Dispatch[],
    { most = Infinity, may = () => true }: ReserveOptions,
  ): Reservation {
    const { settings, flights, isRunning } = this.#parts;
    const limit = Math.min(most, settings.concurrency - flights.size);
    const isPossible = isRunning() && this.#isCaughtUp && !this.#isAsking && limit > 0;
    const request = isPossible ? this.#request(limit, flights.byteBudget()) : null;
    const leased = leaseSome(dispatches, request, this.#behind, may);
    this.#addBehind(leased.left);
    if (request === null || leased.claims.length === 0) return unreserved(dispatches);
    const reserved = flights.reserve(leased.claims, { token: request.lease, until: request.until });
    return createReservation(leased, {
      begin: () => this.#begin(reserved),
      release: () => flights.release(reserved),
    });
  }

  /**
   * Endpoints that a claim has filled: more may be due there, also if attempts have ended since the store was asked.
   */
  #full({ inFlight, perEndpoint }: ClaimRequest, claims: readonly Claim[]): readonly string[] {
    const filled = new Map(inFlight);
    for (const { delivery } of claims) count(filled, delivery.endpoint_id, 1);
    return [...fullEndpoints(filled, perEndpoint), ...this.#parts.rates.waiting()];
  }

  #addBehind(endpoints: Iterable<string>): void {
    for (const endpoint of endpoints) this.#behind.add(endpoint);
  }

  #request(limit: number, bytes: ByteBudget): ClaimRequest {
    const { settings, rates, flights } = this.#parts;
    const { clock, leaseMs, concurrencyPerEndpoint: perEndpoint } = settings;
    const at = clock.now();
    this.#worker ??= uniqueToken();
    return {
      lease: `${this.#worker}:${++this.#claims}`,
      at,
      until: at + leaseMs,
      limit,
      perEndpoint,
      inFlight: rates.restrain(flights, perEndpoint, this.#filledEverySlot, at),
      bytes,
    };
  }

  /** Reports damaged records; the other deliveries of the claim go on. */
  #reportDamage({ damaged }: ClaimAnswer, { until }: ClaimRequest): void {
    for (const error of damaged) {
      this.#parts.tell((on) => on.storeFailed?.({ operation: 'claim', error, failures: 1, retryAt: until }));
    }
  }

  /** Takes slots for deliveries that were claimed; one that is under way gets the new lease. */
  #take(claims: readonly Claim[], { lease: token, until }: ClaimRequest): void {
    const { flights } = this.#parts;
    const fresh = claims.filter(({ delivery }) => !flights.renew(delivery, { token, until }));
    if (fresh.length > 0) this.#begin(flights.reserve(fresh, { token, until }));
  }

  #begin(reserved: Reserved): void {
    const { settings, flights, rates, tell, isRunning } = this.#parts;
    const deliveries = reserved.flights.map(({ claim }) => claim.delivery);
    // Claims that arrive after `stop`, or when their leases are about to end, go back to the store.
    const isUsable = isRunning() && settings.clock.now() < reserved.lease.until - GRACE_MS;
    if (isUsable) tell((on) => on.claimed?.(deliveries));
    for (const { endpoint_id } of deliveries) rates.claimed(endpoint_id);
    if (isUsable) flights.attempt(reserved);
    else flights.giveBack(reserved);
  }

  #failed(error: unknown): ClaimEnd {
    const failures = ++this.#failures;
    const retryAt = this.#parts.settings.clock.now() + storeBackoffMs(failures);
    this.#parts.tell((on) => on.storeFailed?.({ operation: 'claim', error, failures, retryAt }));
    return { type: 'failed', retryAt };
  }

  /** When the next delivery is due or the next rate limit allows an attempt; `Infinity` when nothing waits. */
  #nextAt({ claims, nextDueAt }: ClaimAnswer): number {
    const { settings, rates } = this.#parts;
    const now = settings.clock.now();
    const isEmptyPoll = claims.length === 0 && nextDueAt !== null && nextDueAt <= now;
    this.#emptyPolls = isEmptyPoll ? this.#emptyPolls + 1 : 0;
    // No tight loop: the slots of the due delivery's endpoint may all be taken, or another worker may hold its lock.
    const waitMs = Math.min(2 ** this.#emptyPolls, MAX_EMPTY_POLL_MS);
    return Math.min(Math.max(nextDueAt ?? Infinity, now + waitMs), rates.nextTokenAt(now));
  }
}

/** The endpoints that have as many deliveries in flight as they may. */
const fullEndpoints = (inFlight: ReadonlyMap<string, number>, perEndpoint: number): Set<string> =>
  new Set(Array.from(inFlight).flatMap(([endpoint, n]) => (n >= perEndpoint ? endpoint : [])));

/** 128 random bits; `randomUUID` is missing on pages that were not loaded over HTTPS. */
const uniqueToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-');
