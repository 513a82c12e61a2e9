/** Replays: an operator sends an event again, to endpoints and SDK clients. */
import { deliveryId } from 'headgate/delivery';
import { madeBefore, namedRequest } from '../../api/idempotency.js';
import { assertMayReplay, idempotencyScope } from '../../api/portal.js';
import type { Principal } from '../../api/principal.js';
import { bind, type BoundRoute } from '../../api/route.js';
import { iso } from '../../api/shapes.js';
import { writeAudit } from '../../audit/audit.js';
import type { Database, Queries } from '../../db/index.js';
import { newId } from '../../ids.js';
import { notFound, Problem } from '../../errors/problem.js';
import { createTurns } from '../../limits/turns.js';
import { type DecisionAgain, recordedDecision, todaysDecision } from './plan.js';
import { type AskedReplay, recipientsFor, type ReplayEndpoints, writeReplays } from './writing.js';
import { replayEvent, type ReplayView } from './routes.js';
import * as sql from '../statements.js';

/** Dependencies of the routes of replays. */
export interface ReplayParts {
  readonly db: Database;
  readonly now: () => number;
  /** There are new deliveries. */
  readonly wake: () => void;
  readonly endpoints: ReplayEndpoints;
  /** Decides a stored event by the rules of today. */
  readonly again: (project: string, event: string) => Promise<DecisionAgain>;
}

/** A replay holds an event and, by the rules of today, a thread. This many run at once, and a client's burst waits. */
const TURNS = { atOnce: 16, ofProject: 4, waiting: 100, allWaiting: 1_000, of: 'replays' };

export function replayEventRoutes(parts: ReplayParts): readonly BoundRoute[] {
  const { db, now, wake } = parts;
  const turns = createTurns(TURNS);
  const replay = async (
    project: string,
    id: string,
    asked: AskedReplay,
    { principal, headers }: { readonly principal: Principal; readonly headers: Headers },
  ): Promise<ReplayView> => {
    const { actor, portal } = principal;
    assertMayReplay(principal, asked);
    const scope = idempotencyScope(principal, `replayEvent:${project}`);
    const request = namedRequest(headers, scope, { id, ...asked });
    const event = await db.get<sql.ReplayedEventRow>(sql.SELECT_REPLAYED_EVENT, [project, id]);
    // The portal does not know of events that were dropped, whose content nobody was to get.
    if (event === undefined || (portal !== undefined && event.status !== 'processed')) {
      throw notFound('event');
    }
    assertReplayable(event, asked);
    // Decided before the transaction, which has to be short.
    const again = asked.rules === 'again' ? todaysDecision(await parts.again(project, id)) : null;
    const decision = again ?? recordedDecision(event);
    const todays = new Map(again === null ? [] : [[id, again]]);
    const found = await recipientsFor({ ...parts, project, asked }, [event], todays);
    const recipients = found.get(id) ?? { endpoints: [], skipped: [] };
    const made = await db.transaction(async (tx) => {
      const at = now();
      const replayId = newId(at);
      const before = await madeBefore(tx, request, replayId, at);
      if (before !== null) return { id: before, isNew: false };
      const locked = await tx.get(sql.LOCK_REPLAYED_EVENTS, [project, JSON.stringify([id])]);
      if (locked === undefined) throw notFound('event');
      const common = { project, rules: asked.rules, actor, at, gapMs: 0, action: null, isLogged: true };
      await writeReplays(tx, common, [{ id: replayId, event, decision, recipients }]);
      const after = { replay: replayId, rules: asked.rules, endpoint_ids: recipients.endpoints };
      const entry = { project, actor, action: 'event.replayed', resource: `event:${id}`, after };
      await writeAudit(tx, at, entry);
      return { id: replayId, isNew: true };
    });
    const stored = await storedReplay(db, project, made.id);
    const view = portal === undefined ? stored : { ...stored, rules_version: null };
    if (made.isNew) {
      wake();
      if (view.position !== null) await db.notify('log', project);
    }
    return view;
  };
  return [
    bind(replayEvent, ({ params, body, principal, headers }) =>
      turns.run(params.project, () => replay(params.project, params.event, body, { principal, headers })),
    ),
  ];
}

function assertReplayable({ status }: sql.ReplayedEventRow, { endpoint_ids, rules }: AskedReplay): void {
  if (status === 'received') throw new Problem('conflict', 'the event is not decided yet: try again');
  if (status === 'dropped' && rules === 'recorded' && endpoint_ids === undefined) {
    throw new Problem(
      'conflict',
      'the event was dropped: name endpoint_ids, or give rules: "again" to decide by the rules of today',
    );
  }
}

async function storedReplay(queries: Queries, project: string, id: string): Promise<ReplayView> {
  const row = await queries.get<sql.ReplayRow>(sql.SELECT_REPLAY, [id, project]);
  if (row === undefined) throw notFound('replay');
  const entry = await queries.get<{ position: number }>(sql.SELECT_REPLAY_POSITION, [
    ...[project, row.event_id, id],
  ]);
  const deliveries = await queries.all<{ id: string; endpoint_id: string }>(sql.SELECT_REPLAY_DELIVERIES, [
    row.event_id,
  ]);
  const { outcome, skipped } = JSON.parse(row.decision) as Pick<ReplayView, 'outcome' | 'skipped'>;
  return {
    ...{ id, event_id: row.event_id, rules: row.rules, rules_version: row.rules_version, outcome },
    position: entry?.position ?? null,
    deliveries: deliveries
      .filter((one) => one.id === deliveryId(row.event_id, one.endpoint_id, id))
      .map((one) => ({ id: one.id, endpoint_id: one.endpoint_id })),
    ...{ skipped, created_at: iso(row.created_at) },
  };
}
