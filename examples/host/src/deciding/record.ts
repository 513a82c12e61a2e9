/** Records decisions: all that follows from them, in one transaction. */
import { type Delivery, type Dispatch, fanOut, type Reservation } from 'headgate/delivery';
import type { Row, Transaction } from '../db/index.js';
import type { Subscriber } from '../stored/subscriber.js';
import { eventBytes, keyOf, type PersistedEvent } from '../stored/event-json.js';
import { decidedBatch, REPLACE_OLDEST } from '../stored/decided-batch.js';
import { factsOf } from '../stored/facts.js';
import { type EventFacts, postingRows } from '../stored/postings.js';
import { storedDecision } from '../stored/decision.js';
import { noteRows } from '../matches/noted.js';
import type { VersionedDecision } from './decision.js';
import {
  ADD_TO_EVENTS,
  DECIDE,
  LOCK_PROJECTS,
  MOVE_HEADS,
  PROJECT_DATA,
  SET_POSITIONS,
  WAIT_SHORTLY,
} from './statements.js';

/** An event with the decision that is to be recorded. */
export interface DecidedEvent {
  readonly event: PersistedEvent;
  readonly decision: VersionedDecision;
}

/** The endpoints that are subscribed to the topic of an event. */
export type SubscribersOf = (event: PersistedEvent) => readonly Subscriber[];

/** The result of a transaction that records decisions. */
export interface Recorded {
  /** Events that had not been decided before. */
  readonly decided: readonly DecidedEvent[];
  /** Number of deliveries. */
  readonly deliveries: number;
}

/** How a transaction records decisions. */
export interface RecordOptions {
  /**
   * For a project that somebody else has locked: a quarter of a second, and then it fails with `LOCK_NOT_AVAILABLE`, or
   * as long as any statement may.
   * @defaultValue `'long'`
   */
  readonly waits?: 'shortly' | 'long';
  /**
   * Leases deliveries to the scheduler of this process; the caller begins them after the commit.
   * @defaultValue leases none
   */
  readonly reserve?: (dispatches: readonly Dispatch[]) => Pick<Reservation, 'dispatches'>;
}

/** A decided event, with the rows that follow from its decision. */
interface Consequences extends DecidedEvent {
  readonly deliveries: readonly Delivery[];
  readonly dispatch: Dispatch | null;
  readonly tags: string;
}

const MINUTE_MS = 60_000;

/**
 * Records the decisions of events that are still undecided; those that somebody else has decided are left alone.
 * Positions in the log are given in the order of commits, without gaps: the head of the project is locked from the
 * first statement to the commit, so that no later position is ever visible before an earlier one.
 *
 * @param at - Unix ms.
 */
export async function recordDecisions(
  tx: Transaction,
  all: readonly DecidedEvent[],
  subscribers: SubscribersOf,
  at: number,
  { waits = 'long', reserve = (dispatches) => ({ dispatches }) }: RecordOptions = {},
): Promise<Recorded> {
  const projects = [...new Set(all.map(({ event }) => event.project))];
  const [, heads, ids] = await tx.together<[unknown, readonly Head[], readonly { id: string }[]]>([
    () => (waits === 'shortly' ? tx.run(WAIT_SHORTLY) : Promise.resolve()),
    () => tx.all(LOCK_PROJECTS, [JSON.stringify(projects)]),
    () => tx.all(DECIDE, [JSON.stringify(eventRows(all, projects)), at]),
  ]);
  const isNew = new Set(ids.map(({ id }) => id));
  // Nothing follows from an event whose project was deleted meanwhile.
  const isThere = new Set(heads.map(({ id }) => id));
  const decided = all.filter(({ event }) => isNew.has(event.id) && isThere.has(event.project));
  if (decided.length === 0) return { decided, deliveries: 0 };
  const isAll = decided.length === all.length;
  const consequences = decided.map((one) => consequencesOf(one, subscribers(one.event), at));
  const dispatches = consequences.flatMap(({ dispatch }) => dispatch ?? []);
  let deliveries = 0;
  const enqueue = async (): Promise<void> => {
    deliveries = await tx.deliveries.enqueue(reserve(dispatches).dispatches);
  };
  const projected = decided.filter(({ decision }) => decision.projected !== null);
  await tx.together([
    () => tx.insert('event_postings', postingRows(consequences.map(eventFacts))),
    ...writeLog(tx, decided, heads, isAll),
    ...(projected.length > 0
      ? [() => tx.run(PROJECT_DATA, [JSON.stringify(projected.map(projectedRow))])]
      : []),
    () => tx.insert('event_minutes', minuteRows(decided), ADD_TO_EVENTS),
    () => tx.insert('rule_matches', matchRows(decided, projects, at)),
    ...(dispatches.length > 0 ? [enqueue] : []),
  ]);
  return { decided, deliveries };
}

/** How far a project's log and its ring of batches have come. */
interface Head {
  readonly id: string;
  readonly log_position: number;
  readonly batch_position: number;
}

const statusOf = ({ outcome }: VersionedDecision): 'processed' | 'dropped' =>
  outcome === 'drop' ? 'dropped' : 'processed';

const isLogged = ({ decision }: DecidedEvent): boolean => decision.outcome === 'deliver';

/** Numbers the events of each project that go on, from 1, as if all were recorded. */
function eventRows(all: readonly DecidedEvent[], projects: readonly string[]): readonly Row[] {
  const counts = new Map(projects.map((project) => [project, 0]));
  return all.map((one) => {
    const { project } = one.event;
    const n = (counts.get(project) ?? 0) + Number(isLogged(one));
    counts.set(project, n);
    return eventRow(one, isLogged(one) ? n : null);
  });
}

const eventRow = ({ event, decision }: DecidedEvent, n: number | null): Row => ({
  ...keyOf(event),
  n,
  status: statusOf(decision),
  rules_version: decision.rulesVersion,
  dropped_by: decision.droppedBy,
  tags: JSON.stringify(decision.tags),
  decision: JSON.stringify(storedDecision(decision)),
});

const projectedRow = ({ event, decision }: DecidedEvent): Row => ({
  event_id: event.id,
  projected: decision.projected,
});

/** The deliveries of a decision with their body, which `bodyReader` makes again. */
function consequencesOf(
  { event, decision }: DecidedEvent,
  endpoints: readonly Subscriber[],
  at: number,
): Consequences {
  const tags = JSON.stringify(decision.tags);
  const { outcome, endpointIds } = decision;
  const columns = {
    ...{ project_id: event.project, channel_id: event.channelId },
    ...(event.traceparent !== null && { traceparent: event.traceparent }),
  };
  const deliveries = fanOut({ outcome, endpointIds, event }, endpoints, {
    ...{ at, columns },
    ...orderOf(event, endpoints),
  });
  if (deliveries.length === 0) return { event, decision, deliveries, dispatch: null, tags };
  const body = eventBytes(event, { data: decision.projected ?? event.data, tags });
  return { event, decision, deliveries, dispatch: { body, deliveries, storeBody: false }, tags };
}

/** All events of an endpoint with `ordering: "endpoint"` have this key. */
const WHOLE_ENDPOINT = 'endpoint';

/** The option of fan-out that orders deliveries; empty if none of the endpoints asks for an order. */
function orderOf(
  { orderingKey }: PersistedEvent,
  endpoints: readonly Subscriber[],
): { readonly orderingKey?: (endpoint: string) => string | null } {
  const ordered = endpoints.filter(({ ordering = 'none' }) => ordering !== 'none');
  if (ordered.length === 0) return {};
  const keys = new Map(
    ordered.map(({ id, ordering }) => [id, ordering === 'endpoint' ? WHOLE_ENDPOINT : orderingKey]),
  );
  return { orderingKey: (endpoint) => keys.get(endpoint) ?? null };
}

const eventFacts = ({ event, decision, deliveries }: Consequences): EventFacts => ({
  project: event.project,
  id: event.id,
  facts: factsOf({
    status: statusOf(decision),
    type: event.type,
    topic: event.topic,
    channel: event.channelId,
    tags: decision.tags,
    // Retention deletes the facts of the rules that the stored decision has.
    rules: storedDecision(decision).matched.map(({ id }) => id),
    endpoints: deliveries.map(({ endpoint_id: id }) => id),
  }),
});

/**
 * Gives the next positions of each project to its events that go on, and one to all of its events as a batch.
 *
 * @param isAll - Whether these are all events of the batch, so that their rows have these positions already.
 */
function writeLog(
  tx: Transaction,
  decided: readonly DecidedEvent[],
  heads: readonly Head[],
  isAll: boolean,
): readonly (() => Promise<number>)[] {
  const entries: Row[] = [];
  const batches: Row[] = [];
  const moved: Row[] = [];
  for (const { id, log_position: last, batch_position: lastBatch } of heads) {
    const own = decided.filter(({ event }) => event.project === id);
    if (own.length === 0) continue;
    const sent = own.filter(isLogged);
    entries.push(...sent.map(({ event }, i) => logEntry(event, last + i + 1)));
    batches.push(
      decidedBatch(
        id,
        lastBatch + 1,
        own.map(({ event }) => event.id),
      ),
    );
    moved.push({ id, log_position: last + sent.length, batch_position: lastBatch + 1 });
  }
  const positions = entries.map(({ project_id: project, event_id: id, position }) => ({
    ...{ project, id, position },
  }));
  return [
    ...(isAll ? [] : [() => tx.run(SET_POSITIONS, [JSON.stringify(positions)])]),
    () => tx.insert('event_log', entries),
    () => tx.insert('decided_batches', batches, REPLACE_OLDEST),
    () => tx.run(MOVE_HEADS, [JSON.stringify(moved)]),
  ];
}

/** Counts of events by the minute in which they were received. Callers that write them have locked the heads. */
function minuteRows(decided: readonly DecidedEvent[]): readonly Row[] {
  const rows = new Map<
    string,
    { readonly project_id: string; minute: number; status: string; events: number }
  >();
  for (const { event, decision } of decided) {
    const [minute, status] = [Math.floor(event.receivedAt / MINUTE_MS), statusOf(decision)];
    const key = `${event.project} ${minute} ${status}`;
    const row = rows.get(key) ?? { project_id: event.project, minute, status, events: 0 };
    row.events++;
    rows.set(key, row);
  }
  return [...rows.values()];
}

const logEntry = ({ project, id }: PersistedEvent, position: number): Row => ({
  project_id: project,
  position,
  event_id: id,
  origin: 'live',
  replay_id: null,
});

/** Notes of the rules that matched, project by project. */
const matchRows = (
  decided: readonly DecidedEvent[],
  projects: readonly string[],
  at: number,
): readonly Row[] =>
  projects.flatMap((project) =>
    noteRows(
      project,
      decided.filter(({ event }) => event.project === project).map(({ decision }) => decision.matchedIds),
      at,
    ),
  );
