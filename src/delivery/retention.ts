/** Retention: the ports of stores that can delete finished deliveries. */

import { assertMembers, calendarInstant, type Checks, integer, optional, texts } from './arguments.js';

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

/** Deletes finished deliveries that the host names, such as those of a project with a retention of its own. */
export interface DeliveryDeletion {
  /**
   * Deletes finished deliveries with their attempts, dead letters among them, and their bodies that no other delivery needs:
   * all at once. Skips those that are unfinished or unknown. Enqueueing a deleted delivery again makes a new one.
   *
   * @param ids - Ids of deliveries: some hundreds, since other writers may have to wait.
   * @returns The ids of the deleted ones, each once, in any order.
   * @throws {@link OptionError} `invalid_option` (as a rejection) unless `ids` is an array of text.
   */
  deleteDeliveries(ids: readonly string[]): Promise<readonly string[]>;
}

/** Deletes finished deliveries. */
export interface Retention extends DeliveryDeletion {
  /**
   * Deletes finished deliveries with their attempts, and bodies that are no longer needed. Enqueueing a deleted delivery
   * again makes a new one. Dead letters stay until they are sent again or discarded. The work is done in many short
   * transactions: it may run beside everything else and in several processes, and an interruption undoes nothing.
   *
   * @param options - Which deliveries, and how many at a time.
   * @throws {@link OptionError} `invalid_option` (as a rejection) when `before` is not an instant in milliseconds, or for
   * an invalid `batchSize`.
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

/**
 * The checked argument of `deleteDeliveries`.
 *
 * @param ids - The host's argument.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function readIds(ids: unknown): readonly string[] {
  texts('ids', ids);
  return ids as readonly string[];
}
