/** Deliveries in the memory of one process: for tests, demonstrations, and services that may forget on restart. */
import type { DeadLetters } from '../../delivery/dead-letters.js';
import { assertOptions } from '../../delivery/options.js';
import type { DeliveryStore } from '../../delivery/store.js';
import { OptionError } from '../../errors.js';
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

const OPTIONS = Object.keys({
  keepFinished: true,
  keepDeadLetters: true,
} satisfies Record<keyof MemoryStoreOptions, true>);

/**
 * An empty store. Each method has done its work when it returns its promise, so each is atomic.
 *
 * @param options - What to keep.
 * @throws {@link OptionError} `invalid_option` when an option is no count, or unknown.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  assertOptions('createMemoryStore', options, OPTIONS);
  const { keepFinished = 10_000, keepDeadLetters = Infinity } = options;
  assertCount('keepFinished', keepFinished);
  if (keepDeadLetters !== Infinity) assertCount('keepDeadLetters', keepDeadLetters);
  const ledger = new Ledger(keepFinished, keepDeadLetters);
  return {
    enqueue: (dispatches) =>
      promised(() => dispatches.reduce((added, dispatch) => added + ledger.enqueue(dispatch), 0)),
    claim: (request) => promised(() => ledger.claim(request)),
    settle: (settlements) => promised(() => settlements.map((settlement) => ledger.settle(settlement))),
    get: (id) => promised(() => ledger.get(id)),
    deadLetters: {
      list: (filter, page = {}) => promised(() => ledger.letters.page(filter, page)),
      count: (filter) => promised(() => ledger.letters.select(filter).length),
      redeliver: (filter, options) => promised(() => ledger.redeliver(filter, options)),
      discard: (filter) => promised(() => ledger.discard(filter)),
    },
    size: () => ledger.size(),
  };
}

function assertCount(option: string, value: number): void {
  if (Number.isInteger(value) && value >= 0) return;
  throw new OptionError('invalid_option', `${option} is ${value}: give an integer from 0`);
}

/** Does the work now; what it throws becomes a rejection. */
const promised = <T>(work: () => T): Promise<T> =>
  new Promise((resolve) => {
    resolve(work());
  });
