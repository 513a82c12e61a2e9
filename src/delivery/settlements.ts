/** Attempts that have ended, on their way into the store: in batches, and again until the store takes them. */
import type { AttemptResult } from './attempt.js';
import type { Tell } from './callbacks.js';
import { type Clock, momentOver } from './clock.js';
import type { Settlement } from './store.js';
import { GIVEN_UP, type StoreCalls } from './store-calls.js';

/** A lease that the scheduler holds. A later claim of the same delivery renews it. */
export interface Lease {
  token: string;
  /** Unix ms. */
  until: number;
}

/** A settlement that waits to be written, with the callback for its outcome. */
interface Waiting {
  readonly lease: Lease;
  readonly result: AttemptResult;
  readonly written: (held: boolean) => void;
  /** The callback was called; later answers of the store are ignored. */
  over: boolean;
}

/** Settlements that one call of the store writes. */
interface Batch {
  readonly entries: readonly Waiting[];
  /** How many times in a row the store has refused it. */
  readonly failures: number;
}

/** Waits between failed calls of the store: a quarter of a second, doubled each time, at most half a minute. */
export const storeBackoffMs = (failures: number): number => Math.min(250 * 2 ** (failures - 1), 30_000);

/**
 * Writes settlements, one batch at a time. An error does not tell whether the store is away or refuses one record: so
 * after a failure the queue rests, and the refused batch is tried again in halves. A settlement that is refused alone
 * again and again is tried ever more seldom, and delays no other.
 */
export class SettlementQueue {
  readonly #calls: StoreCalls;
  readonly #clock: Clock;
  readonly #tell: Tell;
  /** Not tried yet. */
  #fresh: Waiting[] = [];
  /** Written before the fresh ones. */
  #queue: Batch[] = [];
  /** Refused alone, until their timers have fired; with what cancels those. */
  readonly #resting = new Map<Batch, () => void>();
  /** Cancels the rest of the whole queue; null while it does not rest. */
  #cancelRest: (() => void) | null = null;
  #isWriting = false;
  #failures = 0;
  #isStopping = false;

  constructor(calls: StoreCalls, clock: Clock, tell: Tell) {
    this.#calls = calls;
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Resolves once the store has answered: whether it is recorded; else the lease had passed to somebody else. */
  settle(lease: Lease, result: AttemptResult): Promise<boolean> {
    return new Promise((written) => {
      this.#fresh.push({ lease, result, written, over: false });
      this.#wake();
    });
  }

  /** From now on a refused settlement is given up when its lease ends: the attempt will be repeated. */
  stop(): void {
    this.#isStopping = true;
    for (const batch of this.#resting.keys()) this.#rested(batch);
    this.#endRest();
  }

  /** From now on a refused settlement is retried without limit. */
  start(): void {
    this.#isStopping = false;
  }

  /** Gives up everything and clears all timers. A settlement already sent to the store is told if the store answers. */
  abandon(): void {
    const batches = [{ entries: this.#fresh }, ...this.#queue, ...this.#resting.keys()];
    for (const cancel of this.#resting.values()) cancel();
    this.#resting.clear();
    this.#queue = [];
    this.#fresh = [];
    this.#endRest();
    for (const { entries } of batches) entries.forEach((entry) => conclude(entry, false));
    this.#calls.giveUp();
  }

  #wake(): void {
    if (!this.#isWriting && this.#cancelRest === null) void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#cancelRest === null && this.#queue.length + this.#fresh.length > 0) {
      await momentOver(this.#clock);
      const batch = this.#next();
      if (batch.entries.length > 0) await this.#write(batch);
    }
    this.#isWriting = false;
  }

  #next(): Batch {
    if (this.#queue.length === 0) this.#enqueueFresh();
    const { entries = [], failures = 0 } = this.#queue.shift() ?? {};
    return { entries: entries.filter(({ over }) => !over), failures };
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
      // A lease that was renewed while its old token was on the way: written again under the new one.
      this.#fresh.push(...batch.entries.filter(({ over }) => !over));
    } catch (error) {
      if (error !== GIVEN_UP) this.#refuse(batch, error);
    }
  }

  #refuse(batch: Batch, error: unknown): void {
    const failures = Math.max(++this.#failures, batch.failures + 1);
    const retryAt = this.#clock.now() + storeBackoffMs(failures);
    this.#tell((on) => on.storeFailed?.({ operation: 'settle', error, failures, retryAt }));
    this.#rest(batch.entries);
    const entries = batch.entries.filter((entry) => !this.#givenUp(entry));
    // Fresh settlements go first: their success shows that the store works and the record is bad.
    this.#enqueueFresh();
    if (entries.length > 1) this.#queue.push(...halvesOf(entries));
    else if (failures > this.#failures) this.#setAside({ entries, failures }, retryAt);
    else this.#queue.push({ entries, failures });
  }

  #rest(entries: readonly Waiting[]): void {
    const restMs = storeBackoffMs(this.#failures);
    this.#cancelRest = this.#clock.at(this.#soonest(this.#clock.now() + restMs, entries), () =>
      this.#endRest(),
    );
  }

  #endRest(): void {
    this.#cancelRest?.();
    this.#cancelRest = null;
    this.#wake();
  }

  #setAside(batch: Batch, until: number): void {
    const cancel = this.#clock.at(this.#soonest(until, batch.entries), () => this.#rested(batch));
    this.#resting.set(batch, cancel);
  }

  #rested(batch: Batch): void {
    this.#resting.get(batch)?.();
    this.#resting.delete(batch);
    this.#queue.push(batch);
    this.#wake();
  }

  /** While stopping nothing rests for longer than a lease lasts. */
  #soonest(at: number, entries: readonly Waiting[]): number {
    return this.#isStopping ? Math.min(at, ...entries.map(({ lease }) => lease.until)) : at;
  }

  #givenUp(entry: Waiting): boolean {
    const isOver = this.#isStopping && this.#clock.now() >= entry.lease.until;
    if (isOver) conclude(entry, false);
    return isOver || entry.over;
  }
}

function halvesOf(entries: readonly Waiting[]): readonly Batch[] {
  const half = Math.ceil(entries.length / 2);
  return [entries.slice(0, half), entries.slice(half)].map((part) => ({ entries: part, failures: 0 }));
}

function conclude(entry: Waiting, held: boolean): void {
  if (entry.over) return;
  entry.over = true;
  entry.written(held);
}

const settlement = ({ lease, result: { delivery, attempt } }: Waiting): Settlement => ({
  lease: lease.token,
  delivery,
  attempt,
});
