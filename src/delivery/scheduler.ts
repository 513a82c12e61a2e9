/** The only loop and the only timers: claims what is due, attempts it, settles it, sleeps until something is due. */
import { attemptDelivery, type AttemptResult, unattempted } from './attempt.js';
import { createTell, type Tell } from './callbacks.js';
import type { Attempt, Delivery } from './delivery.js';
import { type SchedulerOptions, type SchedulerSettings, schedulerSettings } from './scheduler-options.js';
import { type Lease, SettlementQueue, storeBackoffMs } from './settlements.js';
import type { Claim, ClaimRequest, ClaimResult } from './store.js';

/** How to stop. */
export interface StopOptions {
  /**
   * When it fires, attempts in flight are told to end instead of waited for, and their deliveries are due at once.
   * What has not ended a second later is given up: its delivery is due when its lease ends.
   */
  readonly signal?: AbortSignal;
}

/** Sends what a store holds, in good time. */
export interface Scheduler {
  /** Begins to claim and send; does nothing while it runs. */
  start(): void;
  /** Looks into the store now: call it after enqueueing. Does nothing unless it runs. */
  wake(): void;
  /**
   * Claims no more, waits for the attempts in flight and records them; while the store answers, that takes less than a
   * lease, whatever the host's other parts do. The scheduler may be started again. The store and the transport stay
   * open.
   *
   * @param options - How to stop.
   */
  stop(options?: StopOptions): Promise<void>;
  /** Resolves when nothing is in flight and the store has nothing pending; or when it stops. */
  idle(): Promise<void>;
}

/**
 * A scheduler; nothing happens before `start`. Any number of them, in any number of processes, may share a store: a
 * lease keeps each delivery with one of them.
 *
 * @param options - Store, transport, endpoints and signer are required.
 * @throws {@link OptionError} `invalid_option` when a number is out of bounds.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  return new Loop(schedulerSettings(options));
}

/** A delivery that is being attempted or settled. */
interface Flight {
  readonly lease: Lease;
  readonly endpointId: string;
  readonly abort: AbortController;
  /** Frees the slot of an attempt that does not end; nothing once it has. */
  giveUp: () => void;
  /** Resolves when it is settled, or given up. */
  over: Promise<void>;
}

/** How long before its lease an attempt must end, and how soon once it is told to. */
const GRACE_MS = 1_000;

class Loop implements Scheduler {
  readonly #settings: SchedulerSettings;
  readonly #tell: Tell;
  readonly #settlements: SettlementQueue;
  /** By delivery id. */
  readonly #flights = new Map<string, Flight>();
  readonly #worker = crypto.randomUUID();
  #idlers: (() => void)[] = [];
  #claims = 0;
  #claimFailures = 0;
  #running = false;
  /** A claim has failed: until the timer fires, nothing wakes the loop. */
  #resting = false;
  /** Somebody woke the loop since it last looked. */
  #woken = false;
  #looking: Promise<void> | null = null;
  #cancelTimer: () => void = () => undefined;

  constructor(settings: SchedulerSettings) {
    this.#settings = settings;
    this.#tell = createTell(settings.on);
    this.#settlements = new SettlementQueue(settings.store, settings.clock, this.#tell);
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#settlements.stopping = false;
    this.#resting = false;
    this.wake();
  }

  wake(): void {
    if (!this.#running || this.#resting) return;
    this.#woken = true;
    this.#looking ??= this.#look();
  }

  async stop({ signal }: StopOptions = {}): Promise<void> {
    this.#running = false;
    this.#settlements.stopping = true;
    this.#cancelTimer();
    this.#releaseIdlers();
    await (signal === undefined ? this.#landed() : this.#hurried(signal));
  }

  idle(): Promise<void> {
    if (!this.#running) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idlers.push(resolve);
      this.wake();
    });
  }

  async #landed(): Promise<void> {
    await this.#looking;
    await Promise.all(Array.from(this.#flights.values(), (flight) => flight.over));
  }

  /** Resolves once all have landed, but no later than {@link GRACE_MS} after the signal. */
  #hurried(signal: AbortSignal): Promise<void> {
    const { clock } = this.#settings;
    return new Promise((resolve) => {
      let cancel = (): void => undefined;
      const hurry = (): void => {
        this.#flights.forEach((flight) => flight.abort.abort());
        cancel = clock.at(clock.now() + GRACE_MS, () => {
          this.#flights.forEach((flight) => flight.giveUp());
          resolve();
        });
      };
      if (signal.aborted) hurry();
      signal.addEventListener('abort', hurry);
      void this.#landed().then(() => {
        signal.removeEventListener('abort', hurry);
        cancel();
        resolve();
      });
    });
  }

  async #look(): Promise<void> {
    while (this.#woken && this.#running && !this.#resting) {
      // Attempts that end together free their slots together, for one claim.
      await Promise.resolve();
      this.#woken = false;
      this.#cancelTimer();
      await this.#takeDue();
    }
    this.#looking = null;
  }

  async #takeDue(): Promise<void> {
    const limit = this.#settings.concurrency - this.#flights.size;
    if (limit === 0) return;
    const request = this.#request(limit);
    const found = await this.#claim(request);
    if (found === null) return;
    this.#begin(found.claims, request);
    // With every slot taken, the end of an attempt wakes the loop.
    if (this.#running && found.claims.length < limit) this.#sleepUntil(found.nextDueAt);
    if (this.#flights.size === 0 && found.nextDueAt === null && !this.#woken) this.#releaseIdlers();
  }

  #request(limit: number): ClaimRequest {
    const { clock, leaseMs, concurrencyPerEndpoint } = this.#settings;
    const at = clock.now();
    return {
      lease: `${this.#worker}:${++this.#claims}`,
      at,
      until: at + leaseMs,
      limit,
      perEndpoint: concurrencyPerEndpoint,
      inFlight: this.#inFlight(),
    };
  }

  /** Flights by endpoint id. */
  #inFlight(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { endpointId } of this.#flights.values()) {
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    }
    return counts;
  }

  async #claim(request: ClaimRequest): Promise<ClaimResult | null> {
    try {
      const found = await this.#settings.store.claim(request);
      this.#claimFailures = 0;
      return found;
    } catch (error) {
      const failures = ++this.#claimFailures;
      const retryAt = this.#settings.clock.now() + storeBackoffMs(failures);
      this.#tell((on) => on.storeFailed?.({ operation: 'claim', error, failures, retryAt }));
      this.#resting = true;
      if (this.#running) this.#wakeAt(retryAt);
      return null;
    }
  }

  #begin(claims: readonly Claim[], { lease, until }: ClaimRequest): void {
    const fresh: Claim[] = [];
    for (const claim of claims) {
      const flight = this.#flights.get(claim.delivery.id);
      // The clock was set forward, or the store was slow: our own lease ended under us. Now it is renewed.
      if (flight === undefined) fresh.push(claim);
      else Object.assign(flight.lease, { token: lease, until } satisfies Lease);
    }
    if (fresh.length === 0) return;
    if (this.#running) this.#tell((on) => on.claimed?.(fresh.map((claim) => claim.delivery)));
    for (const claim of fresh) this.#launch(claim, { token: lease, until });
  }

  #launch(claim: Claim, lease: Lease): void {
    const { id, endpoint_id: endpointId } = claim.delivery;
    const flight: Flight = {
      lease,
      endpointId,
      abort: new AbortController(),
      giveUp: () => undefined,
      over: Promise.resolve(),
    };
    this.#flights.set(id, flight);
    flight.over = this.#fly(claim, flight);
  }

  async #fly(claim: Claim, flight: Flight): Promise<void> {
    // A claim that came back after `stop` goes back to the store.
    const result = this.#running
      ? await this.#attempt(claim, flight)
      : unattempted(claim.delivery, this.#settings.clock.now());
    if (result === null) return;
    const held = await this.#settlements.settle(flight.lease, result);
    this.#flights.delete(claim.delivery.id);
    this.#report(result, held);
    this.wake();
  }

  /** Null once it was given up: what still comes of it is ignored, and whoever claims next begins anew. */
  async #attempt(claim: Claim, flight: Flight): Promise<AttemptResult | null> {
    const { clock } = this.#settings;
    const givenUp = new Promise<null>((resolve) => {
      flight.giveUp = () => {
        this.#flights.delete(claim.delivery.id);
        flight.abort.abort();
        this.#tell((on) => on.leaseLost?.(claim.delivery, null));
        this.wake();
        resolve(null);
      };
    });
    const cancel = clock.at(flight.lease.until - GRACE_MS, flight.giveUp);
    const attempt = attemptDelivery(claim, this.#settings, flight.abort.signal);
    const result = await Promise.race([attempt, givenUp]);
    cancel();
    flight.giveUp = () => undefined;
    return result;
  }

  #report({ delivery, attempt, error }: AttemptResult, held: boolean): void {
    if (!held) this.#tell((on) => on.leaseLost?.(delivery, attempt));
    else if (attempt === null) this.#tell((on) => on.released?.(delivery, error));
    else this.#reportAttempt(delivery, attempt);
  }

  #reportAttempt(delivery: Delivery, attempt: Attempt): void {
    this.#tell((on) => on.attempted?.(delivery, attempt, null));
    if (delivery.state === 'delivered') this.#tell((on) => on.delivered?.(delivery));
    else if (delivery.state === 'failed') this.#tell((on) => on.deadLettered?.(delivery));
    else this.#tell((on) => on.retrying?.(delivery));
  }

  #sleepUntil(nextDueAt: number | null): void {
    const { clock, pollMs } = this.#settings;
    const now = clock.now();
    // A store that says "now" and gives nothing is asked again, but not in a tight loop.
    const at = Math.min(Math.max(nextDueAt ?? Infinity, now + 1), now + pollMs);
    if (at < Infinity) this.#wakeAt(at);
  }

  #wakeAt(at: number): void {
    this.#cancelTimer = this.#settings.clock.at(at, () => {
      this.#resting = false;
      this.wake();
    });
  }

  #releaseIdlers(): void {
    const idlers = this.#idlers;
    this.#idlers = [];
    for (const resolve of idlers) resolve();
  }
}
