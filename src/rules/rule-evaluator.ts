/** The contract of every rule set, however it finds the rules that match. */
import type { Decision } from './decision.js';
import type { EventLike, Rule } from './rule.js';

/**
 * Rules that decide about events: `compileRules` of `headgate` makes one with an index, `compileReferenceRules` of
 * `headgate/testing` one without. Code that takes this type runs on either.
 */
export interface RuleEvaluator {
  /** Enabled rules in evaluation order; frozen, and so is each rule. */
  readonly rules: readonly Rule[];
  /**
   * Decides about an event, which stays as it is. Never throws on an event that is JSON.
   *
   * @param event - As persisted.
   */
  evaluate<E extends EventLike>(event: E): Decision<E>;
}
