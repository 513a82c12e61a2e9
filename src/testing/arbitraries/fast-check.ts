/** The types of fast-check. Its code is the host's, so that this package loads none. */
import type fc from 'fast-check';

/**
 * The module `fast-check`, version 4.
 *
 * @experimental
 */
export type FastCheck = typeof fc;

/**
 * An arbitrary of the host's fast-check.
 *
 * @experimental
 */
export type Arbitrary<T> = fc.Arbitrary<T>;
