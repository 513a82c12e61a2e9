/** What an RE2 implementation must do to serve as an engine. */

/** A match, in UTF-16 units of the subject. */
export interface PatternMatch {
  /** First unit. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** What each capturing group matched, from group 1 on; `undefined` where it took no part. Empty unless asked for. */
  readonly groups: readonly (string | undefined)[];
}

/** A pattern compiled by an engine. Any method may throw when the engine fails; the program is then dropped. */
export interface EngineProgram {
  /** Whether the pattern is found anywhere in the subject, which is well-formed. */
  test(subject: string): boolean;
  /**
   * The leftmost-first match that starts at `from` or later; what stands before `from` still counts for `^` and `\b`.
   *
   * @param subject - Well-formed text.
   * @param from - UTF-16 index that splits no surrogate pair.
   * @param groups - Whether the texts of groups are wanted.
   */
  next(subject: string, from: number, groups: boolean): PatternMatch | null;
  /** Gives back what the engine holds outside JavaScript's heap; the program is not used again. */
  dispose(): void;
}

/** An RE2 implementation. */
export interface PatternEngine {
  /** Says in benchmarks and tests which one it is. */
  readonly name: string;
  /** The longest subject that the engine holds, in UTF-16 units; what is longer is undecided. */
  readonly maxSubjectLength: number;
  /** How many compiled programs may be alive at once. */
  readonly maxPrograms: number;
  /**
   * Compiles a pattern.
   *
   * @param pattern - Plain RE2 syntax as the package prints it: flags only in groups, no names, no `\Q`.
   */
  compile(pattern: string): EngineProgram;
}
