/** Deliveries in the memory of one process: for tests, demonstrations, and services that may lose them on restart. */
import {
  assertMembers,
  callable,
  type Checks,
  either,
  integer,
  optional,
  text,
} from '../../delivery/arguments.js';
import { Columns, type ColumnTypes, columnTypes } from '../../delivery/columns.js';
import {
  type DeadLetterFilter,
  type DeadLetters,
  parseDiscardFilter,
  parseDeadLetterFilter,
  readReplay,
} from '../../delivery/dead-letters.js';
import type { Delivery } from '../../delivery/delivery.js';
import { assertDispatches, assertHoldable } from '../../delivery/dispatches.js';
import { type DueDates, readMakeDue } from '../../delivery/make-due.js';
import { type DeliveryDeletion, readDeletion } from '../../delivery/retention.js';
import type {
  ClaimResult,
  DeliveryStore,
  KeepExchange,
  KeepUrl,
  ReadBodies,
  Settlement,
} from '../../delivery/store.js';
import { bodiesOf, damageOf } from '../leased-bodies.js';
import { Ledger, type LedgerClaim } from './ledger.js';

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  /**
   * Number of deliveries that stay known after they were delivered, or were redelivered or discarded as dead letters.
   * As long as one is known, enqueueing it again does nothing.
   * @defaultValue `10_000`
   */
  readonly keepFinished?: number;
  /**
   * Most dead letters. Beyond that, the oldest ones are discarded without a callback. `Infinity`: all stay until they
   * are redelivered or discarded.
   * @defaultValue `Infinity`
   */
  readonly keepDeadLetters?: number;
  /**
   * Columns of your own, such as `{ tenant_id: 'text' }`. Each delivery carries its values in `columns`, and filters of
   * dead letters can name them.
   * @defaultValue none
   */
  readonly columns?: ColumnTypes;
  /** Called by `enqueue` before it adds deliveries, with those that are new; if it throws, nothing is added. */
  readonly onEnqueue?: (deliveries: readonly Delivery[]) => void;
  /**
   * Called by `settle` before it records, with the settlements that are recorded for the first time; if it throws,
   * nothing is recorded, and the scheduler tries again.
   */
  readonly onSettle?: (settlements: readonly Settlement[]) => void;
  /**
   * Chooses what an attempt keeps of the URL that was used, which may hold a customer's key.
   * @defaultValue nothing is kept
   */
  readonly keepUrl?: KeepUrl;
  /**
   * Makes the text that an attempt keeps of its exchange, if the transport keeps exchanges.
   * @defaultValue nothing is kept
   */
  readonly keepExchange?: KeepExchange;
  /**
   * Reads the bodies that need not be stored: those of dispatches with `storeBody: false`.
   * @defaultValue every body is stored
   */
  readonly readBodies?: ReadBodies;
}

/** Counts of what a memory store holds. */
export interface MemoryStoreSize {
  /** Pending and leased deliveries. */
  readonly unfinished: number;
  /** Failed deliveries that were neither redelivered nor discarded. */
  readonly deadLetters: number;
  /** Finished deliveries that are still known, without dead letters. */
  readonly finished: number;
  /** Different bodies that a delivery may still send. */
  readonly bodies: number;
}

/** A store in memory. */
export interface MemoryStore extends DeliveryStore, DeliveryDeletion, DueDates {
  /** The failed deliveries. */
  readonly deadLetters: DeadLetters;
  /** Counts what the store holds, in constant time. */
  size(): MemoryStoreSize;
}

/**
 * An empty store. Each method does its work before it returns its promise, so each is atomic.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'headgate/memory';
 *
 * const store = createMemoryStore();
 * console.log(await store.deadLetters.count({})); // 0
 * ```
 * @param options - How much to keep.
 * @throws {@link OptionError} `invalid_option` for an invalid or unknown option.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  assertMembers<MemoryStoreOptions>('createMemoryStore', options, OPTIONS);
  const { keepFinished = 10_000, keepDeadLetters = Infinity, onEnqueue, onSettle, readBodies } = options;
  const columns = new Columns(options.columns);
  const ledger = new Ledger(keepFinished, keepDeadLetters, columns, options);
  const parsed = <Filter extends DeadLetterFilter>(filter: Filter): Filter => {
    columns.assert('filter.columns', filter.columns);
    return filter;
  };
  return {
    enqueue: (dispatches) =>
      promised(() => {
        assertDispatches(dispatches);
        assertHoldable(dispatches, { columns, readBodies });
        const fresh = onEnqueue === undefined ? [] : ledger.unknown(dispatches);
        if (fresh.length > 0) onEnqueue?.(fresh);
        return dispatches.reduce((added, dispatch) => added + ledger.enqueue(dispatch), 0);
      }),
    claim: async (request) => await withBodies(ledger.claim(request), readBodies),
    settle: (settlements) =>
      promised(() => {
        const fresh = onSettle === undefined ? [] : ledger.held(settlements);
        if (fresh.length > 0) onSettle?.(fresh);
        return settlements.map((settlement) => ledger.settle(settlement));
      }),
    get: (id) =>
      promised(() => {
        text('id', id);
        return ledger.get(id);
      }),
    deadLetters: {
      list: (filter, page = {}) =>
        promised(() => ledger.letters.page(parsed(parseDeadLetterFilter(filter)), page)),
      count: (filter) => promised(() => ledger.letters.select(parsed(parseDeadLetterFilter(filter))).length),
      redeliver: (filter, options) =>
        promised(() => {
          const replay = readReplay(options);
          columns.assert('columns', replay.columns);
          return ledger.redeliver(parsed(parseDeadLetterFilter(filter)), replay);
        }),
      discard: (filter) => promised(() => ledger.discard(parsed(parseDiscardFilter(filter)))),
    },
    makeDue: (filter, given) => promised(() => ledger.makeDue(readMakeDue(filter, given))),
    deleteDeliveries: (ids, options) => promised(() => ledger.delete(readDeletion(ids, options))),
    size: () => ledger.size(),
  };
}

const aCount = integer(0, Number.MAX_SAFE_INTEGER);
const OPTIONS: Checks<MemoryStoreOptions> = {
  keepFinished: optional(aCount),
  keepDeadLetters: optional(either(Infinity, aCount)),
  columns: optional(columnTypes),
  onEnqueue: optional(callable('a function, or leave it out')),
  onSettle: optional(callable('a function, or leave it out')),
  keepUrl: optional(callable('a function, or leave it out')),
  keepExchange: optional(callable('a function, or leave it out')),
  readBodies: optional(callable('a function, or leave it out')),
};

/** Reads the bodies that are not stored. */
async function withBodies(
  { leased, ...left }: LedgerClaim,
  readBodies: ReadBodies | undefined,
): Promise<ClaimResult> {
  const bodies = await bodiesOf(leased, readBodies);
  const claims = leased.flatMap((one, i) => {
    const body = bodies[i] ?? null;
    return body === null ? [] : [{ ...one, body }];
  });
  const damaged = leased.flatMap(({ delivery }, i) => damageOf(delivery.id, bodies[i] ?? null) ?? []);
  return { claims, ...left, ...(damaged.length > 0 && { damaged }) };
}

/** Does the work at once; its errors become rejections. */
const promised = <T>(work: () => T): Promise<T> =>
  new Promise((resolve) => {
    resolve(work());
  });
