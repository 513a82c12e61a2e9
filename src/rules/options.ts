import type { PatternOptions } from '../patterns/index.js';

/** What everything that compiles rules can be told. */
export interface RuleOptions {
  /** Which RE2 engine runs the patterns, and how much work one of them may do on one string. */
  readonly patterns?: PatternOptions;
}
