/** The compiled ops of a transform. */
import type { Work } from '../../patterns/index.js';
import type { Projection } from './projection.js';
import type { RedactOp } from '../rule.js';

/** Told once of a redact that met a bound, and replaced a whole string or more than one. */
export type OnLimited = (op: RedactOp) => void;

/** Applies ops to an event under change. Patterns charge their work to `work`. */
export type CompiledOp = (projection: Projection<unknown>, work: Work, onLimited?: OnLimited) => void;
