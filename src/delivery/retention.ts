/** How long finished deliveries are kept: the port of stores that forget on demand. */

import { assertMembers, calendarInstant, type Checks, integer, optional } from './arguments.js';

/** Options of `deleteFinished`. */
export interface DeleteFinishedOptions {
  /** Deliveries that finished before this instant; Unix ms. */
  readonly before: number;
  /**
   * How many rows one transaction deletes: others wait for no more than that. 1 to 100,000.
   * @defaultValue `1_000`
   */
  readonly batchSize?: number;
}

/** Numbers of deleted rows. */
export interface DeletedCounts {
  readonly deliveries: number;
  /** Bodies that no delivery needs any more. */
  readonly bodies: number;
}

/** Deletes finished deliveries. */
export interface Retention {
  /**
   * Deletes finished deliveries, their attempts, and the bodies that nobody needs any more; from then on, enqueueing one
   * of them again makes a new delivery. Dead letters stay until they are sent again or discarded. Works in many short
   * transactions: it may run beside everything else, from several processes too, and when it is interrupted, what was
   * deleted stays so.
   *
   * @param options - Which.
   * @throws {@link OptionError} `invalid_option` (as a rejection) for what is no instant in milliseconds, or no batch.
   */
  deleteFinished(options: DeleteFinishedOptions): Promise<DeletedCounts>;
}

const OPTIONS: Checks<DeleteFinishedOptions> = {
  before: calendarInstant,
  batchSize: optional(integer(1, 100_000)),
};
const BATCH_SIZE = 1_000;

/**
 * The checked options, with defaults filled in.
 *
 * @param options - As the host gave them.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function readRetention(options: unknown): Required<DeleteFinishedOptions> {
  assertMembers<DeleteFinishedOptions>('deleteFinished', options, OPTIONS);
  const { before, batchSize = BATCH_SIZE } = options;
  return { before, batchSize };
}
