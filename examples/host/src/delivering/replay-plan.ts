/** Plans a replay: the decision that it sends, and the endpoints that get it. Pure. */
import type { FanOutEndpoint } from 'headgate/delivery';
import { Problem } from '../errors/problem.js';
import { storedDecision, type WholeDecision } from '../stored/decision.js';
import type { ReplayView } from './routes.js';
import type { ReplayedEventRow } from './statements.js';

/** A decision of today's rules; deciding makes it, and records nothing. */
export interface DecisionAgain extends WholeDecision {
  readonly outcome: 'deliver' | 'drop';
  readonly tags: readonly string[];
  /** JSON text of `data`; null where no transform changed it. */
  readonly projected: string | null;
  readonly rulesVersion: number;
}

/** The decision that a replay sends, as it is stored. */
export interface ReplayDecision {
  readonly outcome: 'deliver' | 'drop';
  readonly rulesVersion: number | null;
  readonly tags: readonly string[];
  /** JSON text of `data`; null where no transform changed it. */
  readonly projected: string | null;
  /** Goes into the column `replays.decision`. */
  readonly stored: object;
}

/** The decision that was recorded with an event. */
export function recordedDecision(event: ReplayedEventRow): ReplayDecision {
  const outcome = event.status === 'dropped' ? 'drop' : 'deliver';
  const tags = JSON.parse(event.tags ?? '[]') as readonly string[];
  const decision = JSON.parse(event.decision ?? '{}') as object;
  const stored = { ...decision, outcome, dropped_by: event.dropped_by, tags };
  return { outcome, rulesVersion: event.rules_version, tags, projected: event.projected, stored };
}

export function todaysDecision(decision: DecisionAgain): ReplayDecision {
  const { outcome, rulesVersion, tags, projected, droppedBy } = decision;
  const stored = { ...storedDecision(decision), outcome, dropped_by: droppedBy, tags };
  return { outcome, rulesVersion, tags, projected, stored };
}

/** The endpoints that get a replay, and those of the decision that do not. */
export interface Recipients {
  readonly endpoints: readonly string[];
  readonly skipped: ReplayView['skipped'];
}

/**
 * The recipients among the endpoints of a project.
 *
 * @param decided - Ids that the decision was, or is, for; null for every active endpoint. Paused and deleted ones are
 * skipped.
 */
export function recipientsOf(
  decided: readonly string[] | null,
  endpoints: readonly FanOutEndpoint[],
): Recipients {
  if (decided === null) {
    return {
      endpoints: endpoints.filter(({ status }) => status === 'active').map(({ id }) => id),
      skipped: [],
    };
  }
  const statuses = new Map(endpoints.map(({ id, status }) => [id, status]));
  const ids = [...new Set(decided.map((id) => id.toLowerCase()))];
  return {
    endpoints: ids.filter((id) => statuses.get(id) === 'active'),
    skipped: ids
      .filter((id) => statuses.get(id) !== 'active')
      .map((id) => ({ endpoint_id: id, reason: statuses.has(id) ? 'paused' : 'deleted' })),
  };
}

/**
 * The endpoints that an operator has named, paused or not.
 *
 * @throws Problem `invalid_request` naming those that the project does not have.
 */
export function namedRecipients(named: readonly string[], endpoints: readonly FanOutEndpoint[]): Recipients {
  const known = new Set(endpoints.map(({ id }) => id));
  const issues = named.flatMap((id, i) =>
    known.has(id)
      ? []
      : [
          {
            code: 'invalid_value',
            pointer: `/endpoint_ids/${i}`,
            message: 'the project has no such endpoint',
          },
        ],
  );
  if (issues.length > 0) {
    throw new Problem('invalid_request', 'endpoint_ids: name endpoints of this project', { issues });
  }
  return { endpoints: [...new Set(named)], skipped: [] };
}
