/** One tree, in each contender's own language. */
import type { Match } from '../../src/index.js';

export interface Tree {
  readonly name: string;
  /** The most that it may cost over the predicate that was written by hand. */
  readonly limit: number;
  readonly match: Match;
  /** As right as the language: own members only, numbers coerce, a path that is not there makes the leaf false. */
  readonly byHand: (event: unknown) => boolean;
  /** For sift, mingo and ucast. */
  readonly mongo: object;
  readonly jsonLogic: object;
  /** Common Expression Language. */
  readonly cel: string;
  readonly jsonata: string;
  readonly zen: string;
  /** For json-rules-engine; `present`, `absent`, `startsWith` and `endsWith` are added to its operators. */
  readonly conditions: object;
}
