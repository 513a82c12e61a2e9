/** The only loop and the only timers: looks for due deliveries, then sleeps until something is due or free. */
import { createTell, type Tell } from './callbacks.js';
import { Claiming } from './claiming.js';
import { ClockJumps } from './clock-jumps.js';
import { endOfTick } from './clock.js';
import type { Delivery } from './delivery.js';
import { Flights, GRACE_MS } from './flights.js';
import {
  isGathering,
  isLooking,
  isRunning,
  isTimed,
  type LoopEvent,
  type LoopState,
  nextState,
} from './loop-state.js';
import { Rates } from './rates.js';
import type { Reservation, ReserveOptions } from './reservation.js';
import { guardedRandom } from './retry-delay.js';
import type { SchedulerSettings } from './scheduler-options.js';
import { SettlementQueue } from './settlements.js';
import type { Dispatch } from './store.js';
import { StoreCalls } from './store-calls.js';
import { createTracing } from './tracing.js';
import { createWarnings } from './warnings.js';

/** Once a claim has filled every slot, the next one waits until this share of them is free again. */
const FREE_SHARE_TO_CLAIM = 1 / 4;
/** Longest wait for that share. */
const MAX_GATHERING_MS = 5;

/** Somebody who waits for the end of everything, or of everything that is due. */
interface Idler {
  readonly resolve: () => void;
  readonly waitsFor: 'all' | 'due';
}

/**
 * The loop of one scheduler. `createScheduler` makes it stopped; the host starts and stops it any number of times.
 * While it is stopped and nothing is in flight it holds no timer.
 */
export class Loop {
  readonly #settings: SchedulerSettings;
  readonly #tell: Tell;
  readonly #settlements: SettlementQueue;
  readonly #flights: Flights;
  readonly #claiming: Claiming;
  readonly #jumps: ClockJumps;
  #state: LoopState = 'stopped';
  /** The look under way, or several in a row; null between them. */
  #look: Promise<void> | null = null;
  #cancelTimer: () => void = () => undefined;
  #idlers: Idler[] = [];

  constructor(given: SchedulerSettings) {
    const { store, clock, on, leaseMs } = given;
    const tell = createTell([...on, createWarnings(on)]);
    const failed = (error: unknown): void => tell((one) => one.callbackFailed?.(error));
    const settings = { ...given, random: guardedRandom(given.random, failed) };
    const calls = new StoreCalls(store, clock, leaseMs - GRACE_MS);
    const settlements = new SettlementQueue(calls, clock, tell, settings.settleGapMs);
    const rates = new Rates();
    const flights = new Flights({
      ...{ settings, settlements, rates, tell, trace: createTracing(on, failed) },
      freed: (ended) => this.#freed(ended),
    });
    const isActive = (): boolean => isRunning(this.#state);
    this.#claiming = new Claiming({ settings, calls, flights, rates, tell, isRunning: isActive });
    this.#settings = settings;
    this.#tell = tell;
    this.#settlements = settlements;
    this.#flights = flights;
    this.#jumps = new ClockJumps(clock);
  }

  start(): void {
    if (isRunning(this.#state)) return;
    this.#settlements.start();
    this.#apply('start');
  }

  wake(): void {
    this.#apply('wake');
  }

  /** See {@link Scheduler.reserve}. */
  reserve(dispatches: readonly Dispatch[], options: ReserveOptions): Reservation {
    return this.#claiming.reserve(dispatches, options);
  }

  /** @param signal - When it fires, attempts in flight are told to end, and given up a second later. */
  async stop(signal?: AbortSignal): Promise<void> {
    this.#apply('stop');
    this.#settlements.stop();
    this.#releaseIdlers();
    await (signal === undefined ? this.#settled() : this.#settledSoonAfter(signal));
  }

  /** Resolves when nothing is in flight and nothing is pending, or pending and due; or when the loop stops. */
  idle(waitsFor: Idler['waitsFor']): Promise<void> {
    if (!isRunning(this.#state)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idlers.push({ resolve, waitsFor });
      this.wake();
    });
  }

  /**
   * The only method that changes the state.
   *
   * @param wakeAt - When the timer of the next state fires, if that state waits; Unix ms.
   */
  #apply(event: LoopEvent, wakeAt = Infinity): void {
    const before = this.#state;
    const after = nextState(before, event);
    this.#state = after;
    if (after === before) return;
    // A timer belongs to its state. A look that ends leaves the timer for gathering to the next state.
    if (!(isGathering(before) && isGathering(after))) this.#setTimer(isTimed(after) ? wakeAt : Infinity);
    if (isLooking(after)) this.#look ??= this.#lookUntilDone();
  }

  #setTimer(at: number): void {
    this.#cancelTimer();
    const fire = (): void => this.#apply('timer');
    this.#cancelTimer = at < Infinity ? this.#settings.clock.at(at, fire) : () => undefined;
  }

  /** Looks once, and again for as long as something has become due or free meanwhile. */
  async #lookUntilDone(): Promise<void> {
    do {
      // Attempts that end together free their slots together, for one claim.
      await endOfTick(this.#settings.clock);
      this.#apply('asked');
      this.#reportClockJump();
      await this.#takeDue();
    } while (isLooking(this.#state));
    this.#look = null;
  }

  async #takeDue(): Promise<void> {
    const end = await this.#claiming.claim();
    if (end.type !== 'drained') {
      this.#apply(end.type, end.type === 'failed' ? end.retryAt : Infinity);
      return;
    }
    const { clock, pollMs } = this.#settings;
    this.#apply('drained', Math.min(end.nextAt, clock.now() + pollMs));
    if (this.#state !== 'asleep' || this.#flights.size > 0) return;
    this.#releaseIdlers(
      ({ waitsFor }) => end.nextAt === Infinity || (waitsFor === 'due' && end.nextAt > clock.now()),
    );
  }

  /** @returns Whether there was one since the last call. */
  #reportClockJump(): boolean {
    const byMs = this.#jumps.look();
    if (byMs !== 0) this.#tell((on) => on.clockJumped?.({ byMs }));
    return byMs !== 0;
  }

  /** Called when a slot is free again; see {@link Flights}. */
  #freed(ended: Delivery | null): void {
    const { clock, concurrency } = this.#settings;
    // After a jump the timer may fire too late. Those that wait for the end of everything hear of it after a look.
    const isNeeded = this.#reportClockJump() || this.#idlers.length > 0;
    if (ended !== null && !isNeeded && !this.#claiming.mayClaimAfter(ended)) return;
    const isEnough = concurrency - this.#flights.size >= concurrency * FREE_SHARE_TO_CLAIM;
    if (isEnough || !this.#claiming.filledEverySlot) this.#apply('wake');
    else this.#apply('few_slots', clock.now() + MAX_GATHERING_MS);
  }

  /** Resolves once everything that is under way now has been recorded or given up. */
  async #settled(): Promise<void> {
    await this.#look;
    await this.#flights.settled();
  }

  /** The same, but no later than {@link GRACE_MS} after the signal. */
  #settledSoonAfter(signal: AbortSignal): Promise<void> {
    const { clock } = this.#settings;
    return new Promise((resolve) => {
      let cancel = (): void => undefined;
      const abort = (): void => {
        this.#flights.abort();
        cancel = clock.at(clock.now() + GRACE_MS, () => {
          this.#flights.giveUp();
          resolve();
        });
      };
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      void this.#settled().then(() => {
        signal.removeEventListener('abort', abort);
        cancel();
        resolve();
      });
    });
  }

  #releaseIdlers(isOver: (idler: Idler) => boolean = () => true): void {
    const idlers = this.#idlers;
    this.#idlers = idlers.filter((idler) => !isOver(idler));
    for (const { resolve } of idlers.filter(isOver)) resolve();
  }
}
