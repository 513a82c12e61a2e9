/** Retention: the port of stores that can delete finished deliveries. */

import { assertMembers, calendarInstant, type Checks, integer, optional } from './arguments.js';

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

/** Deletes finished deliveries. */
export interface Retention {
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
