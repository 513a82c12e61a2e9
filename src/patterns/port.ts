/** The interface that an RE2 implementation has to provide to serve as an engine. */

/** A match, in UTF-16 units of the subject. */
export interface PatternMatch {
  /** Index of the first unit. */
  readonly start: number;
  /** Index after the last unit. */
  readonly end: number;
  /** The text of each capturing group, from group 1 on; `undefined` if it took no part. Empty unless asked for. */
  readonly groups: readonly (string | undefined)[];
}

/** A pattern compiled by an engine. Any method may throw when the engine fails; the program is then dropped. */
export interface EngineProgram {
  /** Whether the pattern is found anywhere in the subject, which is well-formed. */
  test(subject: string): boolean;
  /**
   * The leftmost-first match that starts at `from` or later; `^` and `\b` still see the text before `from`.
   *
   * @param subject - Well-formed text.
   * @param from - UTF-16 index that splits no surrogate pair.
   * @param groups - Whether to return the texts of groups.
   */
  next(subject: string, from: number, groups: boolean): PatternMatch | null;
  /** Frees memory outside JavaScript's heap; the program is not used again. */
  dispose(): void;
}

/** An RE2 implementation. */
export interface PatternEngine {
  /** Names the engine in benchmarks and tests. */
  readonly name: string;
  /** The longest subject that the engine takes, in UTF-16 units; longer ones are undecided. */
  readonly maxSubjectLength: number;
  /** How many compiled programs may exist at once. */
  readonly maxPrograms: number;
  /**
   * Compiles a pattern.
   *
   * @param pattern - Plain RE2 syntax as `print.ts` writes it: flags only in groups, no names, no `\Q`.
   */
  compile(pattern: string): EngineProgram;
}
