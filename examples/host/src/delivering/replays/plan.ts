/** Plans a replay: the decision that it sends, and the endpoints that get it. Pure. */
import { coversTopic, type FanOutEndpoint } from 'headgate/delivery';
import { Problem } from '../../errors/problem.js';
import { storedDecision, type WholeDecision } from '../../stored/decision.js';
import type { ReplayView } from './routes.js';
import type { ReplayedEventRow } from '../statements.js';

/** A decision of today's rules; deciding makes it, and records nothing. */
export interface DecisionAgain extends WholeDecision {
  readonly outcome: 'deliver' | 'drop';
  readonly tags: readonly string[];
  /** JSON text of `data`; null if no transform changed it. */
  readonly projected: string | null;
  readonly rulesVersion: number;
}

/** The decision that a replay sends, as it is stored. */
export interface ReplayDecision {
  readonly outcome: 'deliver' | 'drop';
  readonly rulesVersion: number | null;
  readonly tags: readonly string[];
  /** JSON text of `data`; null if no transform changed it. */
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
 * The recipients among the endpoints that a decision was, or is, for. Those that are paused or deleted, or are not
 * subscribed to the topic of the event, are skipped.
 *
 * @param decided - Their ids.
 * @param endpoints - The named endpoints that the project has.
 */
export function recipientsOf(
  decided: readonly string[],
  endpoints: readonly FanOutEndpoint[],
  topic: string,
): Recipients {
  const known = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const recipients: string[] = [];
  const skipped: Skipped[] = [];
  for (const id of new Set(decided.map((one) => one.toLowerCase()))) {
    const reason = reasonToSkip(known.get(id), topic);
    if (reason === null) recipients.push(id);
    else skipped.push({ endpoint_id: id, reason });
  }
  return { endpoints: recipients, skipped };
}

type Skipped = ReplayView['skipped'][number];

function reasonToSkip(endpoint: FanOutEndpoint | undefined, topic: string): Skipped['reason'] | null {
  if (endpoint === undefined) return 'deleted';
  if (endpoint.status === 'paused') return 'paused';
  return coversTopic(endpoint.topics, topic) ? null : 'not_subscribed';
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
