/** What an RE2 implementation must do to serve as an engine. */

/** A match, in UTF-16 units of the subject. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Start and end of each capturing group from 1, flat; `-1` where a group took no part. */
  readonly groups: readonly number[];
}

/** A pattern compiled by an engine. */
export interface EngineProgram {
  /** Whether the pattern is found anywhere in the subject. */
  test(subject: string): boolean;
  /** The leftmost-first match that starts at `from` or later; what stands before `from` still counts for `^` and `\b`. */
  next(subject: string, from: number): Span | null;
  /** Gives back what the engine holds outside JavaScript's heap; the program is not used again. */
  dispose(): void;
}

/** An RE2 implementation. */
export interface PatternEngine {
  readonly name: string;
  /** Compiles a pattern of the accepted language; core has checked it. */
  compile(pattern: string): EngineProgram;
}
