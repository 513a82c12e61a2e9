/** One tree, in each contender's own language. */
import type { Match } from '../../src/index.js';

/** An event as a person knows it who writes a predicate. */
export interface Event {
  readonly type?: string;
  readonly data?: { readonly body?: Body };
}

interface Body {
  readonly event?: string;
  readonly livemode?: boolean;
  readonly currency?: string;
  readonly amount?: number;
  readonly email?: string;
  readonly sender?: { readonly type?: string };
  readonly tags?: readonly string[];
  readonly resource?: string;
  readonly country?: string;
  readonly coupon?: unknown;
  readonly refund?: unknown;
  readonly status?: string;
  readonly attempt?: number;
  readonly message?: string;
}

export interface Tree {
  readonly name: string;
  /** The most that it may cost over `byHand`. */
  readonly limit: number;
  readonly match: Match;
  /** As anyone would write it: `event?.data?.body?.kind === 'push'`. */
  readonly byHand: (event: Event) => boolean;
  /** As right as the language: own members only, numbers coerce, a path that is not there makes the leaf false. */
  readonly carefully: (event: unknown) => boolean;
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
