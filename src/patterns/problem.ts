/** Why a pattern is refused. */
import { HeadgateError } from '../errors.js';

/** Codes of {@link PatternProblem}. */
export type PatternProblemCode = 'pattern_too_long' | 'invalid_pattern' | 'pattern_too_complex';

/** Why a pattern may not be saved. */
export interface PatternProblem {
  /** Stable word for programs. */
  readonly code: PatternProblemCode;
  /** Sentence for people: what is wrong, where, what to write instead. */
  readonly message: string;
}

/** A pattern that may not be compiled. */
export class PatternError extends HeadgateError<PatternProblemCode> {
  override readonly name = 'PatternError';
}
