/** Checks a pattern when it is saved: its language and its bounds. Runs no engine. */
import { codePointLength } from '../unicode.js';
import { patternCost } from './cost.js';
import { PatternError, type PatternProblem, type PatternProblemCode } from './problem.js';
import { parseSyntax, type Syntax } from './syntax.js';
import { wellFormed } from './well-formed.js';

/** The most code points that a pattern may have. */
export const MAX_PATTERN_LENGTH = 200;

/** The greatest cost that a pattern may have. */
export const MAX_PATTERN_COST = 1200;

/** A pattern that passed every check. */
export interface CheckedPattern extends Syntax {
  readonly source: string;
  readonly cost: number;
}

/**
 * Says why a pattern may not be saved. Never runs an engine.
 *
 * @example
 * ```ts
 * import { checkPattern } from 'headgate';
 *
 * console.log(checkPattern('sk_[a-z0-9]+')); // null
 * console.log(checkPattern('(?=a)b')?.code); // invalid_pattern
 * ```
 * @param source - The pattern as written.
 * @returns `null` when it may be saved.
 */
export function checkPattern(source: string): PatternProblem | null {
  const checked = check(source);
  return 'code' in checked ? checked : null;
}

/**
 * Checks a pattern and throws what is wrong with it.
 *
 * @throws {@link PatternError} where {@link checkPattern} returns a problem.
 */
export function parsePattern(source: string): CheckedPattern {
  const checked = check(source);
  if ('code' in checked) throw new PatternError(checked.code, checked.message);
  return checked;
}

function check(source: string): PatternProblem | CheckedPattern {
  const length = codePointLength(source);
  if (length > MAX_PATTERN_LENGTH) {
    return problem('pattern_too_long', `${length} characters: a pattern has at most ${MAX_PATTERN_LENGTH}`);
  }
  if (wellFormed(source) !== source) {
    return problem('invalid_pattern', 'half of a surrogate pair: write the whole character');
  }
  const syntax = parseSyntax(source);
  if (typeof syntax === 'string') return problem('invalid_pattern', syntax);
  const cost = patternCost(syntax.tree);
  if (cost <= MAX_PATTERN_COST) return { ...syntax, source, cost };
  return problem(
    'pattern_too_complex',
    `costs ${cost}, at most ${MAX_PATTERN_COST}: repeat less, or a smaller part`,
  );
}

const problem = (code: PatternProblemCode, message: string): PatternProblem => ({ code, message });
