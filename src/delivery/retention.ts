/** How long finished deliveries are kept: the port of stores that forget on demand. */

/** What to delete. */
export interface DeleteFinishedOptions {
  /** Deliveries that finished before this instant; Unix ms. */
  readonly before: number;
  /**
   * How many rows one transaction deletes: others wait for no more than that.
   * @defaultValue `1_000`
   */
  readonly batchSize?: number;
}

/** What was deleted. */
export interface DeletedCounts {
  readonly deliveries: number;
  /** Bodies that no delivery needs any more. */
  readonly bodies: number;
}

/** Deletes what is over. */
export interface Retention {
  /**
   * Deletes finished deliveries, their attempts, and the bodies that nobody needs any more; from then on, enqueueing one
   * of them again makes a new delivery. Dead letters stay until they are sent again or discarded. Works in many short
   * transactions: it may run beside everything else, from several processes too, and when it is interrupted, what was
   * deleted stays so.
   *
   * @param options - Which.
   */
  deleteFinished(options: DeleteFinishedOptions): Promise<DeletedCounts>;
}
