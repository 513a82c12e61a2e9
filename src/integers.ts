/** The one check of integers that callers pass: options, counts, and the answers of hosts' parts. */

/** True for an integer within the bounds, both included. */
export const isIntegerIn = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;

/** True for an integer from 0 on that a number holds exactly. */
export const isCount = (value: unknown): value is number => isIntegerIn(value, 0, Number.MAX_SAFE_INTEGER);
