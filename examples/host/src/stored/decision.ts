/**
 * A decision as it is stored. A project may have tens of thousands of rules that match every event, so it has the first
 * of them, and the number of all. Tags, endpoints and the rule that dropped the event are complete.
 */

/** A rule that matched, as it was then. */
export interface MatchedRule {
  readonly id: string;
  readonly name: string;
  /** The type of its action. */
  readonly action: string;
}

/** A leaf or an op that met a work budget. */
export interface DecisionLimit {
  readonly rule_id: string;
  readonly path: string;
  /** Empty for an op that has no pattern. */
  readonly pattern: string;
  /** The op, if it has no pattern. */
  readonly op?: string;
}

/** The JSON of `events.decision`. */
export interface StoredDecision {
  /** In evaluation order; the rule that dropped the event is the last. */
  readonly matched: readonly MatchedRule[];
  /** All that matched; left out if `matched` has them. */
  readonly matched_count?: number;
  /** Null: every active endpoint. */
  readonly endpoint_ids: readonly string[] | null;
  readonly limits: readonly DecisionLimit[];
  /** All limits; left out if `limits` has them. */
  readonly limits_count?: number;
}

/** Most rules that a stored decision has, and by which its event is found. */
export const MOST_RULES = 1_000;
/** Most patterns that met their work budget. */
const MOST_LIMITS = 100;

/**
 * The first rules of a list.
 *
 * @param isDrop - Whether the last rule of the list has dropped the event: it stays the last.
 */
export const firstRules = <Rule>(rules: readonly Rule[], most: number, isDrop: boolean): readonly Rule[] =>
  rules.length <= most
    ? rules
    : [...rules.slice(0, isDrop ? most - 1 : most), ...rules.slice(isDrop ? -1 : Infinity)];

/** The members of a decision that are stored as JSON. */
export interface WholeDecision {
  /** At most {@link MOST_RULES}; see {@link firstRules}. */
  readonly matched: readonly MatchedRule[];
  /** All that matched. */
  readonly matchedCount: number;
  /** A rule's id. */
  readonly droppedBy: string | null;
  readonly endpointIds: readonly string[] | null;
  readonly limits: readonly DecisionLimit[];
}

/** The JSON that is stored of a decision. */
export function storedDecision({
  matched,
  matchedCount,
  endpointIds,
  limits,
}: WholeDecision): StoredDecision {
  return {
    matched,
    ...(matchedCount > matched.length && { matched_count: matchedCount }),
    endpoint_ids: endpointIds,
    limits: limits.slice(0, MOST_LIMITS),
    ...(limits.length > MOST_LIMITS && { limits_count: limits.length }),
  };
}

/** A stored decision as it is shown; one that was stored before there were bounds has all of its rules. */
export const shownDecision = (stored: StoredDecision, isDrop: boolean): Required<StoredDecision> => ({
  matched: firstRules(stored.matched, MOST_RULES, isDrop),
  matched_count: stored.matched_count ?? stored.matched.length,
  endpoint_ids: stored.endpoint_ids,
  limits: stored.limits.slice(0, MOST_LIMITS),
  limits_count: stored.limits_count ?? stored.limits.length,
});
