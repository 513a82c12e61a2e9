/** The reasons for which a pattern is refused, as data and as an error. */
import { HeadgateError } from '../errors.js';

/** Codes of {@link PatternProblem}. */
export type PatternProblemCode = 'pattern_too_long' | 'invalid_pattern' | 'pattern_too_complex';

/** One reason for which a pattern may not be saved. */
export interface PatternProblem {
  /** Stable; for programs. */
  readonly code: PatternProblemCode;
  /** For people: the fault, its position, and the correction. */
  readonly message: string;
}

/** Thrown where a pattern may not be compiled. */
export class PatternError extends HeadgateError<PatternProblemCode> {
  override readonly name = 'PatternError';
}
