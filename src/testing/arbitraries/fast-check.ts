/** The names of fast-check that arbitraries need: types alone, so that nothing is loaded that the host did not load. */
import type fc from 'fast-check';

/** The module `fast-check`, version 4. */
export type FastCheck = typeof fc;

/** An arbitrary of the host's fast-check. */
export type Arbitrary<T> = fc.Arbitrary<T>;
