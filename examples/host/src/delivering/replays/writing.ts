/** Replays as they are written: who gets events again, and the rows of replays, of the log and of deliveries. */
import { type FanOutEndpoint, newDelivery } from 'headgate/delivery';
import type { Database, Transaction } from '../../db/index.js';
import { eventBytes, headOf } from '../../stored/event-json.js';
import { endpointFact } from '../../stored/facts.js';
import { KEEP_POSTING, postingRows } from '../../stored/postings.js';
import { namedRecipients, recipientsOf, type Recipients, type ReplayDecision } from './plan.js';
import * as sql from '../statements.js';

/** The endpoints, as replays look them up. */
export interface ReplayEndpoints {
  /** The endpoints of a project that are subscribed to a topic. */
  subscribers(project: string, topic: string): Promise<readonly FanOutEndpoint[]>;
  /** Returns the endpoints with these ids that the project has. */
  named(project: string, ids: readonly string[]): Promise<readonly FanOutEndpoint[]>;
}

/** The options of a replay. */
export interface AskedReplay {
  readonly endpoint_ids?: readonly string[] | undefined;
  readonly rules: 'recorded' | 'again';
}

/** An event that is replayed. */
export type ReplayedHead = Pick<sql.ReplayedEventRow, 'id' | 'type' | 'topic'>;

/** Looks up who gets events of one project again. */
export interface Recipience {
  readonly db: Pick<Database, 'all'>;
  readonly endpoints: ReplayEndpoints;
  readonly project: string;
  readonly asked: AskedReplay;
}

/**
 * The recipients of events, by the events' ids.
 *
 * @param again - The decisions by the rules of today, by the events' ids; empty if the recorded ones are sent.
 * @throws Problem `invalid_request` if a named endpoint is not one of the project's.
 */
export async function recipientsFor(
  { db, endpoints, project, asked }: Recipience,
  events: readonly ReplayedHead[],
  again: ReadonlyMap<string, ReplayDecision>,
): Promise<ReadonlyMap<string, Recipients>> {
  const { endpoint_ids: named, rules } = asked;
  if (named !== undefined) {
    const recipients = namedRecipients(named, await endpoints.named(project, named));
    return new Map(events.map(({ id }) => [id, isDropped(again.get(id)) ? NOBODY : recipients]));
  }
  const decided = rules === 'again' ? routesOf(again) : await liveRecipients(db, events);
  const ids = new Set([...decided.values()].flatMap((of) => of ?? []));
  const known = ids.size === 0 ? [] : await endpoints.named(project, [...ids]);
  const found = new Map<string, Recipients>();
  for (const { id, topic, type } of events) {
    const of = decided.get(id) ?? null;
    if (isDropped(again.get(id))) found.set(id, NOBODY);
    else if (of !== null) found.set(id, recipientsOf(of, known, topic ?? type));
    else found.set(id, activeOf(await endpoints.subscribers(project, topic ?? type)));
  }
  return found;
}

const NOBODY: Recipients = { endpoints: [], skipped: [] };

const isDropped = (decision: ReplayDecision | undefined): boolean => decision?.outcome === 'drop';

const activeOf = (subscribers: readonly FanOutEndpoint[]): Recipients => ({
  endpoints: subscribers.filter(({ status }) => status === 'active').map(({ id }) => id),
  skipped: [],
});

/** The endpoints that rules named; null if no rule has routed the event. */
const routesOf = (decisions: ReadonlyMap<string, ReplayDecision>) =>
  new Map(
    [...decisions].map(([id, { stored }]) => [
      id,
      (stored as { readonly endpoint_ids: readonly string[] | null }).endpoint_ids,
    ]),
  );

/** The endpoints that events went to when they came in. */
async function liveRecipients(
  db: Recipience['db'],
  events: readonly ReplayedHead[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = JSON.stringify(events.map(({ id }) => ({ id })));
  const rows = await db.all<sql.LiveEndpointsRow>(sql.SELECT_LIVE_ENDPOINTS, [asked]);
  return new Map(rows.map(({ id, endpoint_ids }) => [id, endpoint_ids?.split(' ').sort() ?? []]));
}

/** One event of a replay that is about to be written. */
export interface NewReplay {
  readonly id: string;
  readonly event: sql.ReplayedEventRow;
  readonly decision: ReplayDecision;
  readonly recipients: Recipients;
}

/** Members that the replays of one transaction have in common. */
export interface Replaying {
  readonly project: string;
  readonly rules: AskedReplay['rules'];
  readonly actor: string;
  readonly at: number;
  /** The first delivery is due at once, and each other one this long after the one before. */
  readonly gapMs: number;
  /** The replay of many events; null for one event. */
  readonly action: string | null;
  /** Whether SDK clients get the events, too. */
  readonly isLogged: boolean;
}

/** Writes replays. The log comes last: from then to the commit, decisions of the project wait for its head. */
export async function writeReplays(
  tx: Transaction,
  common: Replaying,
  replays: readonly NewReplay[],
): Promise<void> {
  const { project, rules, actor, at, isLogged } = common;
  if (replays.length === 0) return;
  await tx.insert(
    'replays',
    replays.map(({ id, event, decision, recipients: { skipped } }) => ({
      ...{ id, project_id: project, event_id: event.id, rules, rules_version: decision.rulesVersion },
      ...{ decision: JSON.stringify({ ...decision.stored, skipped }), projected: decision.projected },
      ...{ created_at: at, created_by: actor },
    })),
  );
  await writeDeliveries(tx, common, replays);
  const logged = isLogged ? replays.filter(({ decision }) => !isDropped(decision)) : [];
  if (logged.length === 0) return;
  const entries = logged.map(({ id, event }, i) => ({ n: i, event_id: event.id, replay_id: id }));
  tx.beforeCommit([
    () => tx.run(sql.TAKE_POSITIONS, [project, logged.length]),
    () => tx.run(sql.INSERT_LOG, [project, JSON.stringify(entries)]),
  ]);
}

async function writeDeliveries(
  tx: Transaction,
  { project, rules, at, gapMs, action }: Replaying,
  replays: readonly NewReplay[],
): Promise<void> {
  const delivered = replays.filter(({ recipients }) => recipients.endpoints.length > 0);
  if (delivered.length === 0) return;
  let before = 0;
  const dueAt = (): number => at + Math.floor(gapMs * before++);
  await tx.deliveries.enqueue(
    delivered.map(({ id, event, decision, recipients }) => {
      const { channel_id, traceparent } = event;
      const columns = { project_id: project, channel_id, traceparent, redelivery_id: action };
      const projection = { data: decision.projected ?? event.data, tags: JSON.stringify(decision.tags) };
      return {
        body: eventBytes(headOf(event), projection),
        // As recorded, `bodyReader` makes it again.
        storeBody: rules === 'again',
        deliveries: recipients.endpoints.map((endpoint) => ({
          ...newDelivery(event, endpoint, { at, replay: id, columns }),
          due_at: dueAt(),
        })),
      };
    }),
  );
  // Rows of one event each: see KEEP_POSTING.
  const postings = delivered.flatMap(({ event, recipients }) =>
    postingRows([{ project, id: event.id, facts: recipients.endpoints.map(endpointFact) }]),
  );
  await tx.insert('event_postings', postings, KEEP_POSTING);
}
