/** Decisions as plain data: what threads answer. */
import type { Decision } from 'headgate';
import type { EventForRules } from '../events/event-json.js';
import type { WholeDecision } from '../ground/stored-decision.js';

/** A decision with nothing of the event but what changed. */
export interface PlainDecision extends WholeDecision {
  readonly outcome: 'deliver' | 'drop';
  readonly tags: readonly string[];
  /** JSON text of `data`; null where no transform changed it. */
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
  return {
    outcome,
    droppedBy: droppedBy?.id ?? null,
    matched: matched.map(({ id, name, action }) => ({ id, name, action: action.type })),
    tags,
    endpointIds,
    limits: limits.map(({ rule, ...limit }) => ({ rule_id: rule.id, ...limit })),
    projected: decision.event.data === event.data ? null : stringify(decision.event.data),
  };
}
