/** Decisions as plain data: what threads answer. */
import type { Decision } from 'headgate';
import type { EventForRules } from '../stored/event-json.js';
import { firstRules, MOST_RULES, type WholeDecision } from '../stored/decision.js';

/** A decision with nothing of the event but what changed. */
export interface PlainDecision extends WholeDecision {
  readonly outcome: 'deliver' | 'drop';
  /**
   * The ids of all rules that matched, separated by spaces. One string is cheap to send between threads; thousands of
   * objects are not.
   */
  readonly matchedIds: string;
  readonly tags: readonly string[];
  /** JSON text of `data`; null if no transform changed it. */
  readonly projected: string | null;
}

/** A decision with the version of the rules that made it. */
export interface VersionedDecision extends PlainDecision {
  readonly rulesVersion: number;
}

/**
 * The plain data of a decision of the library.
 *
 * @param stringify - Prints `data` of any depth.
 */
export function plainDecision(
  event: EventForRules,
  decision: Decision<EventForRules>,
  stringify: (value: object) => string,
): PlainDecision {
  const { outcome, droppedBy, matched, tags, endpointIds, limits } = decision;
  const first = firstRules(matched, MOST_RULES, outcome === 'drop');
  return {
    outcome,
    droppedBy: droppedBy?.id ?? null,
    matched: first.map(({ id, name, action }) => ({ id, name, action: action.type })),
    matchedCount: matched.length,
    matchedIds: matched.map(({ id }) => id).join(' '),
    tags,
    endpointIds,
    limits: limits.map(({ rule, ...limit }) => ({ rule_id: rule.id, ...limit })),
    projected: decision.event.data === event.data ? null : stringify(decision.event.data),
  };
}
