import type { PatternOptions } from '../patterns/index.js';

/** What everything that compiles rules can be told. */
export interface RuleOptions {
  /** Which RE2 engine runs the patterns, and how much work those of one rule may do on one event. */
  readonly patterns?: PatternOptions;
}
