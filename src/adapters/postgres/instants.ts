/** Instants in columns: whole milliseconds of Unix time. */

/** Earlier than any instant in a column. */
export const EARLIEST = Number.MIN_SAFE_INTEGER;

/**
 * A bound for a column: the whole milliseconds that compare with all others as `at` does.
 *
 * @param at - Unix ms, or `Infinity`.
 */
export const bound = (at: number): number =>
  Math.min(Math.max(Math.ceil(at), EARLIEST), Number.MAX_SAFE_INTEGER);
