/** Replays: an operator sends an event again, to endpoints and SDK clients. */
import { type FanOutEndpoint, deliveryId, newDelivery } from 'headgate/delivery';
import { madeBefore, namedRequest } from '../api/idempotency.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries, Transaction } from '../db/index.js';
import { eventBytes, headOf } from '../stored/event-json.js';
import { endpointFact } from '../stored/facts.js';
import { KEEP_POSTING, postingRows } from '../stored/postings.js';
import { newId } from '../ids.js';
import { notFound, Problem } from '../errors/problem.js';
import { createTurns } from '../limits/turns.js';
import {
  type DecisionAgain,
  namedRecipients,
  recipientsOf,
  type Recipients,
  recordedDecision,
  type ReplayDecision,
  todaysDecision,
} from './replay-plan.js';
import { replayEvent, type ReplayView } from './routes.js';
import * as sql from './statements.js';

/** Dependencies of the routes of replays. */
export interface ReplayParts {
  readonly db: Database;
  readonly now: () => number;
  /** There are new deliveries. */
  readonly wake: () => void;
  readonly endpoints: {
    /** The endpoints of a project that are subscribed to a topic. */
    subscribers(project: string, topic: string): Promise<readonly FanOutEndpoint[]>;
    /** Returns the endpoints with these ids that the project has. */
    named(project: string, ids: readonly string[]): Promise<readonly FanOutEndpoint[]>;
  };
  /** Decides a stored event by the rules of today. */
  readonly again: (project: string, event: string) => Promise<DecisionAgain>;
}

/** The options of a replay. */
interface Asked {
  readonly endpoint_ids?: readonly string[] | undefined;
  readonly rules: 'recorded' | 'again';
}

/** A replay holds an event and, by the rules of today, a thread: so many run at once, and a client's burst waits. */
const TURNS = { atOnce: 16, ofProject: 4, waiting: 100, allWaiting: 1_000, of: 'replays' };

export function replayRoutes(parts: ReplayParts): readonly BoundRoute[] {
  const { db, now, wake } = parts;
  const turns = createTurns(TURNS);
  const replay = async (
    project: string,
    id: string,
    asked: Asked,
    { actor, headers }: { readonly actor: string; readonly headers: Headers },
  ): Promise<ReplayView> => {
    const request = namedRequest(headers, `replayEvent:${project}`, { id, ...asked });
    const event = await db.get<sql.ReplayedEventRow>(sql.SELECT_REPLAYED_EVENT, [id, project]);
    if (event === undefined) throw notFound('event');
    assertReplayable(event, asked);
    // Decided before the transaction, which has to be short.
    const again = asked.rules === 'again' ? todaysDecision(await parts.again(project, id)) : null;
    const decision = again ?? recordedDecision(event);
    const recipients = await recipientsFor(parts, project, event, asked, decision);
    const made = await db.transaction(async (tx) => {
      const at = now();
      const replayId = newId(at);
      const before = await madeBefore(tx, request, replayId, at);
      if (before !== null) return { view: await storedReplay(tx, project, before), isNew: false };
      if ((await tx.get(sql.LOCK_REPLAYED_EVENT, [id, project])) === undefined) throw notFound('event');
      const row = { id: replayId, project_id: project, event_id: id, rules: asked.rules };
      await writeReplay(tx, { ...row, at, actor, event, decision, recipients });
      return { view: await storedReplay(tx, project, replayId), isNew: true };
    });
    if (made.isNew) {
      wake();
      if (made.view.position !== null) await db.notify('log', project);
    }
    return made.view;
  };
  return [
    bind(replayEvent, ({ params, body, principal, headers }) =>
      turns.run(params.project, () =>
        replay(params.project, params.event, body, { actor: principal.actor, headers }),
      ),
    ),
  ];
}

function assertReplayable({ status }: sql.ReplayedEventRow, { endpoint_ids, rules }: Asked): void {
  if (status === 'received') throw new Problem('conflict', 'the event is not decided yet: try again');
  if (status === 'dropped' && rules === 'recorded' && endpoint_ids === undefined) {
    throw new Problem(
      'conflict',
      'the event was dropped: name endpoint_ids, or give rules: "again" to decide by the rules of today',
    );
  }
}

async function recipientsFor(
  { db, endpoints }: Pick<ReplayParts, 'db' | 'endpoints'>,
  project: string,
  event: sql.ReplayedEventRow,
  { endpoint_ids: named, rules }: Asked,
  decision: ReplayDecision,
): Promise<Recipients> {
  if (rules === 'again' && decision.outcome === 'drop') return { endpoints: [], skipped: [] };
  if (named !== undefined) return namedRecipients(named, await endpoints.named(project, named));
  const topic = event.topic ?? event.type;
  const decided = rules === 'again' ? routeOf(decision) : await liveRecipients(db, event);
  if (decided !== null) return recipientsOf(decided, await endpoints.named(project, decided), topic);
  const subscribers = await endpoints.subscribers(project, topic);
  const active = subscribers.filter(({ status }) => status === 'active');
  return { endpoints: active.map(({ id }) => id), skipped: [] };
}

/** The endpoints that rules named; null if no rule has routed the event. */
const routeOf = ({ stored }: ReplayDecision): readonly string[] | null =>
  (stored as { readonly endpoint_ids: readonly string[] | null }).endpoint_ids;

/** The endpoints that the event went to when it came in. */
async function liveRecipients(db: Queries, { id }: sql.ReplayedEventRow): Promise<readonly string[]> {
  const rows = await db.all<{ endpoint_id: string }>(sql.SELECT_LIVE_ENDPOINTS, [id]);
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/** A replay that is about to be written. */
interface NewReplay {
  readonly id: string;
  readonly project_id: string;
  readonly event_id: string;
  readonly rules: Asked['rules'];
  readonly at: number;
  readonly actor: string;
  readonly event: sql.ReplayedEventRow;
  readonly decision: ReplayDecision;
  readonly recipients: Recipients;
}

async function writeReplay(
  tx: Transaction,
  { at, actor, event, decision, recipients, ...row }: NewReplay,
): Promise<void> {
  const { id, project_id: project, event_id } = row;
  const { endpoints, skipped } = recipients;
  const { rulesVersion: rules_version, projected } = decision;
  const stored = JSON.stringify({ ...decision.stored, skipped });
  await tx.insert('replays', [
    { ...row, rules_version, decision: stored, projected, created_at: at, created_by: actor },
  ]);
  if (decision.outcome === 'deliver') {
    const head = await tx.get<{ log_position: number }>(sql.NEXT_POSITION, [project]);
    if (head === undefined) throw notFound('project');
    const entry = { project_id: project, position: head.log_position, event_id, origin: 'replay' };
    await tx.insert('event_log', [{ ...entry, replay_id: id }]);
  }
  if (endpoints.length > 0) {
    const columns = { project_id: project, channel_id: event.channel_id };
    const deliveries = endpoints.map((endpoint) => newDelivery(event, endpoint, { at, replay: id, columns }));
    const projection = { data: projected ?? event.data, tags: JSON.stringify(decision.tags) };
    await tx.deliveries.enqueue([{ body: eventBytes(headOf(event), projection), deliveries }]);
    const facts = endpoints.map(endpointFact);
    await tx.insert('event_postings', postingRows([{ project, id: event_id, facts }]), KEEP_POSTING);
  }
  const after = { replay: id, rules: row.rules, endpoint_ids: endpoints };
  await writeAudit(tx, at, {
    project,
    actor,
    action: 'event.replayed',
    resource: `event:${event_id}`,
    after,
  });
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
