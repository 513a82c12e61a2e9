/** Group commit: events that come in at about the same time are stored in one transaction. */
import { createFairQueue } from './fair-queue.js';

/** Options of {@link createGroupCommit}. */
export interface GroupCommitOptions<Item, Result> {
  /** Stores items, all or none; the results are in their order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Transactions at a time. */
  readonly width: number;
  /**
   * From the start of a transaction to that of the next, while items come faster than they are stored one by one. A
   * sender that waits for each answer never waits for this.
   */
  readonly gapMs: number;
  /** After a transaction of this many items there is no gap: as many gather by themselves while one is under way. */
  readonly enough: number;
  /** Most items of a transaction, and most bytes but for the first item. */
  readonly maxItems: number;
  readonly maxBytes: number;
  /** After this time callers get a failure, however long the transaction takes. */
  readonly timeoutMs: number;
  /** Made where a transaction takes too long. */
  readonly timedOut: () => Error;
}

/** A queue of items that are to be stored. Projects take turns. */
export interface GroupCommit<Item, Result> {
  /** Resolves once the item is on the disk; rejects where that is not known. */
  add(project: string, item: Item, bytes: number): Promise<Result>;
  /** Items that are not stored yet. */
  readonly size: number;
  /** Rejects all that wait for a transaction to begin. */
  rejectWaiting(error: Error): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly bytes: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Items that come within this time of one that was not alone are likely not to be alone either. */
const CROWDED_MS = 20;

/** A transaction costs as much as several items: under load items wait a little for the next one, and share it. */
export const createGroupCommit = <Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> => new Committing(options);

/** One queue, and its transactions. */
class Committing<Item, Result> implements GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  readonly #queue = createFairQueue<Waiting<Item, Result>>();
  readonly #running = new Set<Promise<void>>();
  #writing = 0;
  #lastBegan = -Infinity;
  #lastSize = 0;
  #crowdedUntil = -Infinity;
  /** Cancels the pump that is scheduled; null if none is. */
  #cancel: (() => void) | null = null;

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  get size(): number {
    return this.#queue.size + this.#writing;
  }

  add(project: string, item: Item, bytes: number): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.add(project, { item, bytes, resolve, reject });
      this.#schedule();
    });
  }

  rejectWaiting(error: Error): void {
    this.#queue.take(Infinity).forEach(({ reject }) => reject(error));
  }

  async idle(): Promise<void> {
    while (this.#queue.size > 0 || this.#running.size > 0) {
      this.#pump();
      await Promise.allSettled(this.#running);
    }
  }

  #schedule(): void {
    const waitMs = this.#waitMs(performance.now());
    if (this.#cancel !== null) return;
    if (waitMs > 0) {
      const timer = setTimeout(() => this.#pump(), waitMs);
      this.#cancel = () => clearTimeout(timer);
    } else {
      // Requests that were read in one turn of the event loop go together.
      const immediate = setImmediate(() => this.#pump());
      this.#cancel = () => clearImmediate(immediate);
    }
  }

  /** How long the item that has just come waits for others. */
  #waitMs(now: number): number {
    const { gapMs, enough } = this.#options;
    if (this.#running.size > 0 || this.#queue.size > 1) this.#crowdedUntil = now + CROWDED_MS;
    return now < this.#crowdedUntil && this.#lastSize < enough ? this.#lastBegan + gapMs - now : 0;
  }

  #pump(): void {
    const { width, maxItems, maxBytes } = this.#options;
    this.#cancel?.();
    this.#cancel = null;
    while (this.#queue.size > 0 && this.#running.size < width) {
      const batch = this.#queue.take(maxItems, maxBytes, ({ bytes }) => bytes);
      this.#lastBegan = performance.now();
      this.#lastSize = batch.length;
      const work = this.#write(batch).finally(() => {
        this.#running.delete(work);
        if (this.#cancel === null) this.#pump();
      });
      this.#running.add(work);
    }
  }

  async #write(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const { write, timeoutMs, timedOut } = this.#options;
    const fail = (error: unknown): void => batch.forEach(({ reject }) => reject(error));
    const timer = setTimeout(() => fail(timedOut()), timeoutMs);
    this.#writing += batch.length;
    try {
      const results = await write(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, i) => resolve(results[i] as Result));
    } catch (error) {
      fail(error);
    } finally {
      clearTimeout(timer);
      this.#writing -= batch.length;
    }
  }
}
