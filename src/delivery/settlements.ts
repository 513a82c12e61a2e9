/** Attempts that have ended, on their way into the store: in batches, and again until the store takes them. */
import type { AttemptResult } from './attempt.js';
import type { Tell } from './callbacks.js';
import { type Clock, momentOver } from './clock.js';
import type { DeliveryStore, Settlement } from './store.js';

/** A lease that the scheduler holds. A later claim of the same delivery renews it. */
export interface Lease {
  token: string;
  /** Unix ms. */
  until: number;
}

/** What waits to be written, and whom to tell whether the lease still held. */
interface Waiting {
  readonly lease: Lease;
  readonly result: AttemptResult;
  readonly written: (held: boolean) => void;
}

/** Waits between failed calls of the store: a quarter of a second, doubled each time, at most half a minute. */
export const storeBackoffMs = (failures: number): number => Math.min(250 * 2 ** (failures - 1), 30_000);

/** Writes settlements, one batch at a time. */
export class SettlementQueue {
  readonly #store: DeliveryStore;
  readonly #clock: Clock;
  readonly #tell: Tell;
  #waiting: Waiting[] = [];
  #writing = false;
  #failures = 0;
  /** Once set, what the store refuses past its lease is given up: the attempt will be repeated. */
  stopping = false;

  constructor(store: DeliveryStore, clock: Clock, tell: Tell) {
    this.#store = store;
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Resolves once it is written: whether the lease still held. */
  settle(lease: Lease, result: AttemptResult): Promise<boolean> {
    return new Promise((written) => {
      this.#waiting.push({ lease, result, written });
      if (!this.#writing) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      await momentOver(this.#clock);
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#write(batch);
    }
    this.#writing = false;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const settlements = batch.map(({ lease, result }) => settlement(lease, result));
    try {
      const held = await this.#store.settle(settlements);
      this.#failures = 0;
      batch.forEach((entry, i) => this.#conclude(entry, settlements[i]?.lease, held[i] === true));
    } catch (error) {
      await this.#rest(error);
      this.#waiting.unshift(...batch.filter((entry) => !this.#givenUp(entry)));
    }
  }

  /** A lease that was renewed while its old token was on the way is written again under the new one. */
  #conclude(entry: Waiting, sent: string | undefined, held: boolean): void {
    if (held || entry.lease.token === sent) entry.written(held);
    else this.#waiting.push(entry);
  }

  #rest(error: unknown): Promise<void> {
    const failures = ++this.#failures;
    const retryAt = this.#clock.now() + storeBackoffMs(failures);
    this.#tell((on) => on.storeFailed?.({ operation: 'settle', error, failures, retryAt }));
    return new Promise((rested) => void this.#clock.at(retryAt, rested));
  }

  #givenUp(entry: Waiting): boolean {
    const over = this.stopping && this.#clock.now() >= entry.lease.until;
    if (over) entry.written(false);
    return over;
  }
}

const settlement = (lease: Lease, { delivery, attempt }: AttemptResult): Settlement => ({
  lease: lease.token,
  delivery,
  attempt,
});
