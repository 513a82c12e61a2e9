/** Retention: the ports of stores that can delete finished deliveries. */

import { assertMembers, calendarInstant, type Checks, flag, integer, optional, texts } from './arguments.js';

/** Options of `deleteFinished`. */
export interface DeleteFinishedOptions {
  /** Deletes deliveries that finished before this instant; Unix ms. */
  readonly before: number;
  /**
   * Most rows deleted in one transaction, for which other writers may have to wait. 1 to 100,000.
   * @defaultValue `1_000`
   */
  readonly batchSize?: number;
}

/** Numbers of deleted rows. */
export interface DeletedCounts {
  readonly deliveries: number;
  /** Bodies that no delivery needed any more. */
  readonly bodies: number;
}

/** Options of `deleteDeliveries`. */
export interface DeleteDeliveriesOptions {
  /**
   * Deletes those that are pending or leased, too: they are not sent any more. An attempt that is under way is not
   * called back, and its result is not recorded.
   * @defaultValue `false`
   */
  readonly unfinished?: boolean;
}

/** Deletes deliveries that the host names, such as those of a project with a retention of its own. */
export interface DeliveryDeletion {
  /**
   * Deletes finished deliveries with their attempts, dead letters among them, and their bodies that no other delivery
   * needs: all at once. The next delivery of an ordering key that one of them held is due at once. Skips those that are
   * unknown, and the unfinished unless they are asked for. Enqueueing a deleted delivery again makes a new one.
   *
   * @param ids - Ids of deliveries: some hundreds, since other writers may have to wait.
   * @param options - Whether unfinished ones go, too.
   * @returns The ids of the deleted ones, each once, in any order.
   * @throws {@link OptionError} `invalid_option` (as a rejection) unless `ids` is an array of text, and the options are
   *   known.
   */
  deleteDeliveries(ids: readonly string[], options?: DeleteDeliveriesOptions): Promise<readonly string[]>;
}

/** Deletes finished deliveries. */
export interface Retention extends DeliveryDeletion {
  /**
   * Deletes finished deliveries with their attempts, and bodies that are no longer needed. Enqueueing a deleted
   * delivery again makes a new one. Dead letters stay until they are redelivered or discarded. The work is done in many
   * short transactions: it may run beside everything else and in several processes, and an interruption undoes nothing.
   *
   * @param options - Which deliveries, and how many at a time.
   * @throws {@link OptionError} `invalid_option` (as a rejection) when `before` is not an instant in milliseconds, or
   * for an invalid `batchSize`.
   */
  deleteFinished(options: DeleteFinishedOptions): Promise<DeletedCounts>;
}

const OPTIONS: Checks<DeleteFinishedOptions> = {
  before: calendarInstant,
  batchSize: optional(integer(1, 100_000)),
};
const DEFAULT_BATCH_SIZE = 1_000;

/**
 * The checked options, with defaults filled in.
 *
 * @param options - The host's argument.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function readRetention(options: unknown): Required<DeleteFinishedOptions> {
  assertMembers<DeleteFinishedOptions>('deleteFinished', options, OPTIONS);
  const { before, batchSize = DEFAULT_BATCH_SIZE } = options;
  return { before, batchSize };
}

const DELETION: Checks<DeleteDeliveriesOptions> = { unfinished: optional(flag) };

/** Deliveries to delete: their ids, and whether the unfinished ones among them go, too. */
export interface Deletion {
  readonly ids: readonly string[];
  readonly unfinished: boolean;
}

/**
 * The checked arguments of `deleteDeliveries`.
 *
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function readDeletion(ids: unknown, options: unknown = {}): Deletion {
  texts('ids', ids);
  assertMembers<DeleteDeliveriesOptions>('deleteDeliveries', options, DELETION);
  return { ids: ids as readonly string[], unfinished: options.unfinished ?? false };
}
