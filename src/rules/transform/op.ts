/** The compiled ops of a transform, and the price of a visit. */
import type { Work } from '../../patterns/index.js';
import type { Projection } from './projection.js';
import type { TransformOp } from '../rule.js';

/** Work units for visiting one value; measured on deep redacts. */
export const VISIT_WORK = 16;

/**
 * Called once with an op that met a bound: a redact replaced a whole string or more than one, any other did not happen.
 */
export type OnLimited = (op: TransformOp) => void;

/** Applies ops to an event under change. They charge their work to `work`. */
export type CompiledOp = (projection: Projection<unknown>, work: Work, onLimited?: OnLimited) => void;
