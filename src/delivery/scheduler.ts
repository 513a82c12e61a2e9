/** The only loop and the only timers: claims what is due, attempts it, settles it, sleeps until something is due. */
import { assertMembers, type Checks, optional, part } from './arguments.js';
import type { ByteBudget } from './byte-budget.js';
import { createTell, type Tell } from './callbacks.js';
import { momentOver } from './clock.js';
import { ClockJumps } from './clock-jumps.js';
import { Flights, GRACE_MS } from './flights.js';
import { dependable } from './lengthening.js';
import { Rates } from './rates.js';
import { type SchedulerOptions, type SchedulerSettings, schedulerSettings } from './scheduler-options.js';
import { SettlementQueue, storeBackoffMs } from './settlements.js';
import type { Claim, ClaimRequest } from './store.js';
import type { ClaimAnswer } from './store-answers.js';
import { GIVEN_UP, StoreCalls } from './store-calls.js';
import { createWarnings } from './warnings.js';

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
   * @throws {@link OptionError} `invalid_option` (as a rejection) for another option; nothing stops then.
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

/** Where slots are scarce, a claim waits until this share of them is free, since a claim for one costs nearly as much … */
const SHARE_TO_CLAIM = 1 / 4;
/** … but no longer than this. */
const LONGEST_WAIT_MS = 5;
/** A store that names an instant that is past and gives nothing is asked again after this long at most. */
const LONGEST_NAP_MS = 16;

const STOP: Checks<StopOptions> = {
  signal: optional(part(['addEventListener', 'removeEventListener'], 'an AbortSignal')),
};

/** The scheduler behind {@link createScheduler}. Lives until it is stopped. */
class Loop implements Scheduler {
  readonly #settings: SchedulerSettings;
  readonly #tell: Tell;
  readonly #calls: StoreCalls;
  readonly #settlements: SettlementQueue;
  readonly #flights: Flights;
  readonly #rates = new Rates();
  readonly #jumps: ClockJumps;
  /** Begins every lease's token. Drawn with the first: where a module is loaded, Workers have no randomness. */
  #worker: string | null = null;
  #idlers: (() => void)[] = [];
  #claims = 0;
  #claimFailures = 0;
  /** Looks in a row that found nothing, though the store had named an instant that was past. */
  #vainLooks = 0;
  /** The last claim filled every slot. */
  #scarce = false;
  #running = false;
  /** A claim has failed: until the timer fires, nothing wakes the loop. */
  #resting = false;
  /** Slots are free, and more are waited for. */
  #gathering = false;
  /** Somebody woke the loop since it last looked. */
  #woken = false;
  #looking: Promise<void> | null = null;
  #cancelTimer: () => void = () => undefined;

  constructor(settings: SchedulerSettings) {
    const { store, clock, on, leaseMs } = settings;
    this.#tell = createTell([...on, createWarnings(on)]);
    const failed = (error: unknown): void => this.#tell((one) => one.callbackFailed?.(error));
    this.#settings = { ...settings, random: dependable(settings.random, failed) };
    this.#jumps = new ClockJumps(clock);
    this.#calls = new StoreCalls(store, clock, leaseMs - GRACE_MS);
    this.#settlements = new SettlementQueue(this.#calls, clock, this.#tell);
    this.#flights = new Flights({
      settings: this.#settings,
      settlements: this.#settlements,
      rates: this.#rates,
      tell: this.#tell,
      freed: () => this.#freed(),
    });
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#settlements.start();
    this.#resting = false;
    this.wake();
  }

  wake(): void {
    if (!this.#running || this.#resting) return;
    this.#woken = true;
    this.#looking ??= this.#look();
  }

  async stop(options: StopOptions = {}): Promise<void> {
    assertMembers<StopOptions>('stop', options, STOP);
    const { signal } = options;
    this.#running = false;
    this.#settlements.stop();
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
    await this.#flights.landed();
  }

  /** Resolves once all have landed, but no later than {@link GRACE_MS} after the signal. */
  #hurried(signal: AbortSignal): Promise<void> {
    const { clock } = this.#settings;
    return new Promise((resolve) => {
      let cancel = (): void => undefined;
      const hurry = (): void => {
        this.#flights.abort();
        cancel = clock.at(clock.now() + GRACE_MS, () => {
          this.#flights.giveUp();
          resolve();
        });
      };
      if (signal.aborted) hurry();
      signal.addEventListener('abort', hurry, { once: true });
      void this.#landed().then(() => {
        signal.removeEventListener('abort', hurry);
        cancel();
        resolve();
      });
    });
  }

  /** A slot is free again. */
  #freed(): void {
    const { clock, concurrency } = this.#settings;
    const isEnough = concurrency - this.#flights.size >= concurrency * SHARE_TO_CLAIM;
    if (!this.#scarce || isEnough) this.wake();
    else if (this.#running && !this.#resting && !this.#gathering) {
      this.#gathering = true;
      this.#wakeAt(clock.now() + LONGEST_WAIT_MS);
    }
  }

  async #look(): Promise<void> {
    while (this.#woken && this.#running && !this.#resting) {
      // Attempts that end together free their slots together, for one claim.
      await momentOver(this.#settings.clock);
      this.#woken = false;
      this.#gathering = false;
      this.#cancelTimer();
      this.#noticeJump();
      await this.#takeDue();
    }
    this.#looking = null;
  }

  #noticeJump(): void {
    const byMs = this.#jumps.look();
    if (byMs !== 0) this.#tell((on) => on.clockJumped?.({ byMs }));
  }

  async #takeDue(): Promise<void> {
    const limit = this.#settings.concurrency - this.#flights.size;
    const bytes = this.#flights.byteBudget();
    // The end of an attempt wakes the loop.
    if (limit === 0 || bytes.inFlight >= bytes.max) return;
    const request = this.#request(limit, bytes);
    const found = await this.#claim(request);
    if (found === null) return;
    this.#tellDamage(found, request);
    this.#begin(found.claims, request);
    if (found.fault !== null) {
      this.#claimFailed(found.fault);
      return;
    }
    this.#claimFailures = 0;
    this.#scarce = found.claims.length >= limit;
    const wakeAt = this.#nextAt(found);
    // With every slot taken, the end of an attempt wakes the loop.
    if (this.#running && !this.#scarce) this.#sleepUntil(wakeAt);
    if (this.#flights.size === 0 && wakeAt === Infinity && !this.#woken) this.#releaseIdlers();
  }

  /** The other deliveries of the claim go on. */
  #tellDamage({ damaged }: ClaimAnswer, { until }: ClaimRequest): void {
    for (const error of damaged) {
      this.#tell((on) => on.storeFailed?.({ operation: 'claim', error, failures: 1, retryAt: until }));
    }
  }

  #request(limit: number, bytes: ByteBudget): ClaimRequest {
    const { clock, leaseMs, concurrencyPerEndpoint: perEndpoint } = this.#settings;
    const at = clock.now();
    this.#worker ??= uniqueToken();
    return {
      lease: `${this.#worker}:${++this.#claims}`,
      at,
      until: at + leaseMs,
      limit,
      perEndpoint,
      inFlight: this.#rates.restrain(this.#flights, perEndpoint, this.#scarce, at),
      bytes,
    };
  }

  async #claim(request: ClaimRequest): Promise<ClaimAnswer | null> {
    try {
      return await this.#calls.claim(request);
    } catch (error) {
      if (error !== GIVEN_UP) this.#claimFailed(error);
      return null;
    }
  }

  #claimFailed(error: unknown): void {
    const failures = ++this.#claimFailures;
    const retryAt = this.#settings.clock.now() + storeBackoffMs(failures);
    this.#tell((on) => on.storeFailed?.({ operation: 'claim', error, failures, retryAt }));
    this.#resting = true;
    if (this.#running) this.#wakeAt(retryAt);
  }

  #begin(claims: readonly Claim[], { lease: token, until }: ClaimRequest): void {
    const fresh = claims.filter(({ delivery }) => !this.#flights.renew(delivery, { token, until }));
    if (fresh.length === 0) return;
    const deliveries = fresh.map(({ delivery }) => delivery);
    // A claim that comes back after `stop`, or when its leases are all but over, goes back to the store.
    const isOfUse = this.#running && this.#settings.clock.now() < until - GRACE_MS;
    if (isOfUse) this.#tell((on) => on.claimed?.(deliveries));
    for (const { delivery } of fresh) this.#rates.claimed(delivery.endpoint_id);
    if (isOfUse) this.#flights.attempt(fresh, { token, until });
    else this.#flights.giveBack(fresh, { token, until });
  }

  /** When there is more to do, by the store or by a rate limit; `Infinity` when nothing waits. */
  #nextAt({ claims, nextDueAt }: ClaimAnswer): number {
    const now = this.#settings.clock.now();
    const inVain = claims.length === 0 && nextDueAt !== null && nextDueAt <= now;
    this.#vainLooks = inVain ? this.#vainLooks + 1 : 0;
    // Not in a tight loop: what is due may be at an endpoint whose slots are all taken, or under another's lock.
    const napMs = Math.min(2 ** this.#vainLooks, LONGEST_NAP_MS);
    return Math.min(Math.max(nextDueAt ?? Infinity, now + napMs), this.#rates.nextTokenAt(now));
  }

  #sleepUntil(at: number): void {
    const { clock, pollMs } = this.#settings;
    const earliest = Math.min(at, clock.now() + pollMs);
    if (earliest < Infinity) this.#wakeAt(earliest);
  }

  #wakeAt(at: number): void {
    this.#cancelTimer();
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

/** 128 random bits; `randomUUID` is missing on pages that did not come by HTTPS. */
const uniqueToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-');
