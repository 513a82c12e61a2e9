/** Group commit: events that come in at about the same time are stored in one transaction. */
import { createFairQueue } from '../limits/fair-queue.js';

/** Options of {@link createGroupCommit}. */
export interface GroupCommitOptions<Item, Result> {
  /** Stores items, all or none; the results are in their order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Transactions at a time. */
  readonly width: number;
  /** Most items of a transaction, and most bytes but for the first item. */
  readonly maxItems: number;
  readonly maxBytes: number;
  /** After this time callers are told of a failure, however long the transaction goes on. */
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

/** A transaction begins as soon as there is room for one: under load the next batch gathers meanwhile. */
export function createGroupCommit<Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  const { maxItems, maxBytes } = options;
  const queue = createFairQueue<Waiting<Item, Result>>();
  const running = new Set<Promise<void>>();
  let isScheduled = false;
  let writing = 0;

  const run = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    const fail = (error: unknown): void => batch.forEach(({ reject }) => reject(error));
    const timer = setTimeout(() => fail(options.timedOut()), options.timeoutMs);
    writing += batch.length;
    try {
      const results = await options.write(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, i) => resolve(results[i] as Result));
    } catch (error) {
      fail(error);
    } finally {
      clearTimeout(timer);
      writing -= batch.length;
    }
  };
  const pump = (): void => {
    isScheduled = false;
    while (queue.size > 0 && running.size < options.width) {
      const work = run(queue.take(maxItems, maxBytes, ({ bytes }) => bytes)).finally(() => {
        running.delete(work);
        pump();
      });
      running.add(work);
    }
  };
  /** Requests that were read in one turn of the event loop go together. */
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(pump);
  };
  return {
    add: (project, item, bytes) =>
      new Promise((resolve, reject) => {
        queue.add(project, { item, bytes, resolve, reject });
        schedule();
      }),
    get size() {
      return queue.size + writing;
    },
    rejectWaiting: (error) => queue.take(Infinity).forEach(({ reject }) => reject(error)),
    async idle() {
      while (queue.size > 0 || running.size > 0) {
        pump();
        await Promise.allSettled(running);
      }
    },
  };
}
