/** The types of fast-check, and nothing else of it: what runs is the host's own, so that none is loaded and none twice. */
import type fc from 'fast-check';

/** The module `fast-check`, version 4. */
export type FastCheck = typeof fc;

/** An arbitrary of the host's fast-check. */
export type Arbitrary<T> = fc.Arbitrary<T>;
