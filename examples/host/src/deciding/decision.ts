/** Decisions as plain data: what threads answer, and what is stored. */
import type { Decision, Rule } from 'headgate';
import type { EventForRules } from '../events/event-json.js';

/** A rule that matched, as it was then. */
export interface MatchedRule {
  readonly id: string;
  readonly name: string;
  /** The type of its action. */
  readonly action: Rule['action']['type'];
}

/** A pattern that met its work budget. */
export interface DecisionLimit {
  readonly rule_id: string;
  readonly path: string;
  readonly pattern: string;
}

/** A decision with nothing of the event but what changed. */
export interface StoredDecision {
  readonly outcome: 'deliver' | 'drop';
  /** A rule's id. */
  readonly droppedBy: string | null;
  /** In evaluation order, up to and with the drop. */
  readonly matched: readonly MatchedRule[];
  readonly tags: readonly string[];
  /** Null: every active endpoint. */
  readonly endpointIds: readonly string[] | null;
  readonly limits: readonly DecisionLimit[];
  /** JSON text of `data`; null where no transform changed it. */
  readonly projected: string | null;
}

/** A decision with the version of the rules that made it. */
export interface VersionedDecision extends StoredDecision {
  readonly rulesVersion: number;
}

/** The JSON in the column `events.decision`. */
export const decisionJson = ({ matched, endpointIds, limits }: StoredDecision): string =>
  JSON.stringify({ matched, endpoint_ids: endpointIds, limits });

/**
 * The plain data of a decision of the library.
 *
 * @param stringify - Prints `data` of any depth.
 */
export function storedDecision(
  event: EventForRules,
  decision: Decision<EventForRules>,
  stringify: (value: object) => string,
): StoredDecision {
  const { outcome, droppedBy, matched, tags, endpointIds, limits } = decision;
  return {
    outcome,
    droppedBy: droppedBy?.id ?? null,
    matched: matched.map(({ id, name, action }) => ({ id, name, action: action.type })),
    tags,
    endpointIds,
    limits: limits.map(({ rule, path, pattern }) => ({ rule_id: rule.id, path, pattern })),
    projected: decision.event.data === event.data ? null : stringify(decision.event.data),
  };
}
