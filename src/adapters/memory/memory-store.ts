/** Deliveries in the memory of one process: for tests, demonstrations, and services that may forget on restart. */
import { assertMembers, type Checks, either, integer, optional, text } from '../../delivery/arguments.js';
import { type DeadLetters, readDiscardFilter, readFilter, readReplay } from '../../delivery/dead-letters.js';
import { assertDispatches } from '../../delivery/dispatches.js';
import type { DeliveryStore } from '../../delivery/store.js';
import { Ledger } from './ledger.js';

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  /**
   * How many deliveries stay known after they are over (delivered, or dead letters sent again or discarded). As long as
   * one is known, enqueueing it again does nothing.
   * @defaultValue `10_000`
   */
  readonly keepFinished?: number;
  /**
   * How many dead letters stay; beyond them, those that failed first are discarded, untold. `Infinity`: all stay until
   * somebody disposes of them.
   * @defaultValue `Infinity`
   */
  readonly keepDeadLetters?: number;
}

/** What a memory store holds just now. */
export interface MemoryStoreSize {
  /** Pending and leased deliveries. */
  readonly unfinished: number;
  /** Failed ones, not yet disposed of. */
  readonly deadLetters: number;
  /** Deliveries that are over and still known. */
  readonly finished: number;
  /** Different bodies that some delivery may still send. */
  readonly bodies: number;
}

/** A store in memory. */
export interface MemoryStore extends DeliveryStore {
  /** The failed deliveries. */
  readonly deadLetters: DeadLetters;
  /** Counts what it holds, without walking through it. */
  size(): MemoryStoreSize;
}

/**
 * An empty store. Each method has done its work when it returns its promise, so each is atomic.
 *
 * @param options - What to keep.
 * @throws {@link OptionError} `invalid_option` when an option is no count, or there is no such option.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  assertMembers<MemoryStoreOptions>('createMemoryStore', options, OPTIONS);
  const { keepFinished = 10_000, keepDeadLetters = Infinity } = options;
  const ledger = new Ledger(keepFinished, keepDeadLetters);
  return {
    enqueue: (dispatches) =>
      promised(() => {
        assertDispatches(dispatches);
        return dispatches.reduce((added, dispatch) => added + ledger.enqueue(dispatch), 0);
      }),
    claim: (request) => promised(() => ledger.claim(request)),
    settle: (settlements) => promised(() => settlements.map((settlement) => ledger.settle(settlement))),
    get: (id) =>
      promised(() => {
        text('id', id);
        return ledger.get(id);
      }),
    deadLetters: {
      list: (filter, page = {}) => promised(() => ledger.letters.page(readFilter(filter), page)),
      count: (filter) => promised(() => ledger.letters.select(readFilter(filter)).length),
      redeliver: (filter, options) =>
        promised(() => ledger.redeliver(readFilter(filter), readReplay(options))),
      discard: (filter) => promised(() => ledger.discard(readDiscardFilter(filter))),
    },
    size: () => ledger.size(),
  };
}

const count = integer(0, Number.MAX_SAFE_INTEGER);
const OPTIONS: Checks<MemoryStoreOptions> = {
  keepFinished: optional(count),
  keepDeadLetters: optional(either(Infinity, count)),
};

/** Does the work now; what it throws becomes a rejection. */
const promised = <T>(work: () => T): Promise<T> =>
  new Promise((resolve) => {
    resolve(work());
  });
