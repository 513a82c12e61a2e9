/**
 * The last decided events of each project, in the order of commits, for code that follows them: the table
 * `decided_batches` is a ring. Each decision transaction adds one row for each of its projects, while it holds the lock
 * on the project's row, from which it takes the position. So no position ever becomes visible after a later one, and
 * drops are among them.
 */

/** Rows that are kept for each project. */
export const BATCH_SLOTS = 512;

/** A row of `decided_batches`. */
export interface DecidedBatch {
  readonly project_id: string;
  /** The position modulo {@link BATCH_SLOTS}. */
  readonly slot: number;
  /** 1, 2, 3 … as `projects.batch_position` counts them. */
  readonly position: number;
  /** JSON array. */
  readonly event_ids: string;
}

/** @param position - The project's `batch_position` and one. */
export const decidedBatch = (project: string, position: number, ids: readonly string[]) =>
  ({
    project_id: project,
    slot: position % BATCH_SLOTS,
    position,
    event_ids: JSON.stringify(ids),
  }) satisfies DecidedBatch;

/** The conflict clause under which a row replaces the oldest one. */
export const REPLACE_OLDEST =
  '(project_id, slot) do update set position = excluded.position, event_ids = excluded.event_ids';
