/** Many patterns, one subject. */
import type { Pattern } from './pattern.js';

/** Patterns that are looked for together. */
export interface PatternSet {
  /**
   * Which of the patterns are found in the subject. No budget bounds it, and none is charged.
   *
   * @param subject - Any string.
   * @returns Their indexes, ascending; `undefined` when one of them stays undecided, since its engine failed or
   *   holds no such subject.
   */
  matching(subject: string): readonly number[] | undefined;
}

/**
 * Puts patterns together, so that one look at a subject finds all that match.
 *
 * @param patterns - Compiled; the index of one here is its name in the answers.
 */
export function compilePatternSet(patterns: readonly Pattern[]): PatternSet {
  return {
    matching(subject) {
      const found: number[] = [];
      for (const [index, pattern] of patterns.entries()) {
        const held = pattern.test(subject, { left: Infinity });
        if (held === undefined) return undefined;
        if (held) found.push(index);
      }
      return found;
    },
  };
}
