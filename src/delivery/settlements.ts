/** Records the results of leases in the store: in batches, repeated until the store accepts them. */
import type { AttemptResult } from './attempt.js';
import type { Tell } from './callbacks.js';
import { type Clock, endOfTick } from './clock.js';
import type { Settlement } from './store.js';
import { GIVEN_UP, type StoreCalls } from './store-calls.js';

/** A lease that the scheduler holds. A later claim of the same delivery renews it. */
export interface Lease {
  token: string;
  /** Unix ms. */
  until: number;
}

/** A settlement that waits to be written, with the callback for its answer. */
interface Waiting {
  readonly lease: Lease;
  readonly result: AttemptResult;
  readonly written: (held: boolean) => void;
  /** True once the callback was called; later answers of the store are ignored. */
  isOver: boolean;
}

/** Settlements that one call of the store writes. */
interface Batch {
  readonly entries: readonly Waiting[];
  /** How many times in a row the store has refused it. */
  readonly failures: number;
}

/** A batch of this many does not wait for more. */
const ENOUGH = 50;

/** Wait after failed calls of the store in a row: 250 ms, doubled each time, up to 30 s. */
export const storeBackoffMs = (failures: number): number => Math.min(250 * 2 ** (failures - 1), 30_000);

/**
 * Writes settlements, one batch at a time. Made with the scheduler, whose flights call `settle`; the loop stops and
 * starts it with itself.
 *
 * An error does not show whether the store is unreachable or refuses one record. So after a failure the queue pauses,
 * and the refused batch is tried again in halves. A settlement that is refused alone is retried at growing intervals,
 * and delays no other.
 */
export class SettlementQueue {
  readonly #calls: StoreCalls;
  readonly #clock: Clock;
  readonly #tell: Tell;
  readonly #gapMs: number;
  /** Settlements that were not tried yet. */
  #fresh: Waiting[] = [];
  /** Batches that are written before the fresh settlements. */
  #queue: Batch[] = [];
  /** Settlements that were refused alone and wait for their timers, each with the function that cancels its timer. */
  readonly #setAside = new Map<Batch, () => void>();
  /** Cancels the pause of the whole queue; null while it is not paused. */
  #cancelPause: (() => void) | null = null;
  #isWriting = false;
  /** Until when the next write waits for more settlements; Unix ms. */
  #gapUntil = -Infinity;
  /** Ends that wait at once. */
  #endGap: () => void = () => undefined;
  #failures = 0;
  #isStopping = false;

  /** @param gapMs - See `settleGapMs` of {@link SchedulerOptions}. */
  constructor(calls: StoreCalls, clock: Clock, tell: Tell, gapMs: number) {
    this.#calls = calls;
    this.#clock = clock;
    this.#tell = tell;
    this.#gapMs = gapMs;
  }

  /** Resolves once the store has answered: true when it is recorded, false when another scheduler has the lease. */
  settle(lease: Lease, result: AttemptResult): Promise<boolean> {
    return new Promise((written) => {
      this.#fresh.push({ lease, result, written, isOver: false });
      this.#wake();
    });
  }

  /** From now on a refused settlement is given up when its lease ends; its attempt will be repeated. */
  stop(): void {
    this.#isStopping = true;
    this.#endGap();
    for (const batch of this.#setAside.keys()) this.#takeBack(batch);
    this.#endPause();
  }

  /** From now on a refused settlement is retried without limit. */
  start(): void {
    this.#isStopping = false;
  }

  /** Gives up all settlements and clears all timers. */
  abandon(): void {
    const batches = [{ entries: this.#fresh }, ...this.#queue, ...this.#setAside.keys()];
    for (const cancel of this.#setAside.values()) cancel();
    this.#setAside.clear();
    this.#queue = [];
    this.#fresh = [];
    this.#endGap();
    this.#endPause();
    for (const { entries } of batches) entries.forEach((entry) => conclude(entry, false));
    this.#calls.giveUp();
  }

  #wake(): void {
    if (!this.#isWriting && this.#cancelPause === null) void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#cancelPause === null && this.#queue.length + this.#fresh.length > 0) {
      await endOfTick(this.#clock);
      if (this.#gapMs > 0) await this.#waitForMore();
      const batch = this.#next();
      const began = this.#clock.now();
      if (batch.entries.length > 0) await this.#write(batch);
      // Settlements that come while others are written are not likely to be the last.
      if (this.#fresh.length > 0) this.#gapUntil = began + this.#gapMs;
    }
    this.#isWriting = false;
  }

  /** Lets settlements gather. A clock that was set back makes no wait longer than a gap. */
  async #waitForMore(): Promise<void> {
    const now = this.#clock.now();
    const until = Math.min(this.#gapUntil, now + this.#gapMs);
    if (until <= now || this.#fresh.length >= ENOUGH || this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.at(until, resolve);
      this.#endGap = () => {
        cancel();
        resolve();
      };
    });
  }

  #next(): Batch {
    if (this.#queue.length === 0) this.#enqueueFresh();
    const { entries = [], failures = 0 } = this.#queue.shift() ?? {};
    return { entries: entries.filter(({ isOver }) => !isOver), failures };
  }

  #enqueueFresh(): void {
    if (this.#fresh.length > 0) this.#queue.push({ entries: this.#fresh, failures: 0 });
    this.#fresh = [];
  }

  async #write(batch: Batch): Promise<void> {
    const settlements = batch.entries.map(settlement);
    const answered = (held: readonly boolean[]): void =>
      batch.entries.forEach((entry, i) => {
        const isFinal = held[i] === true || entry.lease.token === settlements[i]?.lease;
        if (isFinal) conclude(entry, held[i] === true);
      });
    try {
      await this.#calls.settle(settlements, answered);
      this.#failures = 0;
      // Leases that were renewed during the call had their old tokens in it: written again under the new ones.
      this.#fresh.push(...batch.entries.filter(({ isOver }) => !isOver));
    } catch (error) {
      if (error !== GIVEN_UP) this.#refuse(batch, error);
    }
  }

  #refuse(batch: Batch, error: unknown): void {
    const failures = Math.max(++this.#failures, batch.failures + 1);
    const retryAt = this.#clock.now() + storeBackoffMs(failures);
    this.#tell((on) => on.storeFailed?.({ operation: 'settle', error, failures, retryAt }));
    this.#pause(batch.entries);
    const entries = batch.entries.filter((entry) => !this.#isGivenUp(entry));
    // Fresh settlements go first: their success shows that the store works and that it refuses this record.
    this.#enqueueFresh();
    if (entries.length > 1) this.#queue.push(...halvesOf(entries));
    else if (failures > this.#failures) this.#putAside({ entries, failures }, retryAt);
    else this.#queue.push({ entries, failures });
  }

  #pause(entries: readonly Waiting[]): void {
    const at = this.#retryAt(this.#clock.now() + storeBackoffMs(this.#failures), entries);
    this.#cancelPause = this.#clock.at(at, () => this.#endPause());
  }

  #endPause(): void {
    this.#cancelPause?.();
    this.#cancelPause = null;
    this.#wake();
  }

  #putAside(batch: Batch, until: number): void {
    const cancel = this.#clock.at(this.#retryAt(until, batch.entries), () => this.#takeBack(batch));
    this.#setAside.set(batch, cancel);
  }

  #takeBack(batch: Batch): void {
    this.#setAside.get(batch)?.();
    this.#setAside.delete(batch);
    this.#queue.push(batch);
    this.#wake();
  }

  /** While stopping, no retry comes later than the end of a lease. */
  #retryAt(at: number, entries: readonly Waiting[]): number {
    return this.#isStopping ? Math.min(at, ...entries.map(({ lease }) => lease.until)) : at;
  }

  #isGivenUp(entry: Waiting): boolean {
    const hasExpired = this.#isStopping && this.#clock.now() >= entry.lease.until;
    if (hasExpired) conclude(entry, false);
    return hasExpired || entry.isOver;
  }
}

function halvesOf(entries: readonly Waiting[]): readonly Batch[] {
  const half = Math.ceil(entries.length / 2);
  return [entries.slice(0, half), entries.slice(half)].map((part) => ({ entries: part, failures: 0 }));
}

function conclude(entry: Waiting, held: boolean): void {
  if (entry.isOver) return;
  entry.isOver = true;
  entry.written(held);
}

const settlement = ({ lease, result: { delivery, attempt, url, exchange } }: Waiting): Settlement => ({
  lease: lease.token,
  delivery,
  attempt,
  ...(url !== undefined && { url }),
  ...(exchange !== undefined && { exchange }),
});
