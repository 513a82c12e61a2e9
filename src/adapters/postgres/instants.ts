/** Instants as columns hold them: whole milliseconds of Unix time. */

/** Before any instant. */
export const EARLIEST = Number.MIN_SAFE_INTEGER;

/**
 * The whole milliseconds that compare with all others as `at` does.
 *
 * @param at - Unix ms, or `Infinity`.
 */
export const bound = (at: number): number =>
  Math.min(Math.max(Math.ceil(at), EARLIEST), Number.MAX_SAFE_INTEGER);
