/** Events as ingest and deciding store them, for the tests of lists. */
import type { Database, Row } from '../../src/db/index.js';
import { decidedBatch, REPLACE_OLDEST } from '../../src/stored/decided-batch.js';
import { factsOf } from '../../src/stored/facts.js';
import { type EventFacts, postingRows } from '../../src/stored/postings.js';
import { newId, timeOfEventId } from '../../src/ids.js';
import { insertDeliveries, type TestDelivery } from '../db/library-rows.js';

/** An event with all that lists can be filtered by. */
export interface StoredEvent {
  readonly id: string;
  readonly project: string;
  readonly status: 'received' | 'processed' | 'dropped';
  readonly type: string;
  readonly channel: string | null;
  /** None of these while the event is undecided. */
  readonly tags: readonly string[];
  readonly rules: readonly string[];
  readonly endpoints: readonly string[];
  readonly data?: unknown;
  readonly rawPayload?: unknown;
}

/** A project without anything in it; returns its id. */
export async function storeProject(db: Database): Promise<string> {
  const id = newId(1_000_000);
  const settings = { name: 'a', plan: 'pro', retention_days: 30, auto_pause_days: null };
  const zeros = { rules_version: 0, log_position: 0, created_at: 0, updated_at: 0 };
  await db.insert('projects', [{ id, ...settings, ...zeros }]);
  return id;
}

/** Ids of events are the same from one run of a property to the next. */
export async function clear(db: Database): Promise<void> {
  for (const table of ['events', 'event_payloads', 'event_postings', '{deliveries}']) {
    await db.run(`delete from ${table}`);
  }
}

/** Stores events as they come in. */
export async function storeEvents(db: Database, events: readonly StoredEvent[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert('events', events.map(eventRow));
    await tx.insert('event_payloads', events.map(payloadRow));
  });
}

/** Records decisions as deciding does: the head of the project is locked first. */
export async function decideEvents(db: Database, decided: readonly StoredEvent[]): Promise<void> {
  const [first] = decided;
  if (first === undefined) return;
  await db.transaction(async (tx) => {
    const head = await tx.get<{ batch_position: number }>(
      'update projects set batch_position = batch_position + 1 where id = $1 returning batch_position',
      [first.project],
    );
    for (const event of decided) {
      await tx.run(
        `update events set status = $2, decide_at = null, decided_at = $3, rules_version = 1, dropped_by = $4, tags = $5,
          decision = $6 where id = $1 and status = 'received'`,
        [
          event.id,
          event.status,
          timeOfEventId(event.id),
          event.status === 'dropped' ? (event.rules[0] ?? null) : null,
          JSON.stringify(event.tags),
          decisionOf(event),
        ],
      );
    }
    await tx.insert('event_postings', postingRows(decided.map(eventFacts)));
    await insertDeliveries(db, tx, decided.flatMap(deliveryRows));
    const ids = decided.map(({ id }) => id);
    await tx.insert(
      'decided_batches',
      [decidedBatch(first.project, head?.batch_position ?? 0, ids)],
      REPLACE_OLDEST,
    );
  });
}

/**
 * Stores events, and records the decisions of those that have one.
 *
 * @param transactions - Events of about the same time are decided in so many.
 */
export async function storeAll(
  db: Database,
  events: readonly StoredEvent[],
  transactions = 1,
): Promise<void> {
  await storeEvents(db, events);
  const decided = events.filter(({ status }) => status !== 'received');
  for (const project of new Set(events.map((event) => event.project))) {
    const own = decided.filter((event) => event.project === project);
    for (let turn = 0; turn < transactions; turn++) {
      await decideEvents(
        db,
        own.filter((_, i) => i % transactions === turn),
      );
    }
  }
}

const eventRow = (event: StoredEvent): Row => ({
  id: event.id,
  project_id: event.project,
  channel_id: event.channel,
  type: event.type,
  status: 'received',
  received_at: timeOfEventId(event.id),
  decide_at: 0,
  decide_failures: 0,
});

const payloadRow = (event: StoredEvent): Row => ({
  event_id: event.id,
  channel_name: event.channel === null ? null : `name of ${event.channel}`,
  data: JSON.stringify(event.data ?? { body: {} }),
  raw_payload: event.rawPayload === undefined ? null : JSON.stringify(event.rawPayload),
});

const decisionOf = ({ rules }: StoredEvent): string =>
  JSON.stringify({
    matched: rules.map((id) => ({ id, name: `name of ${id}`, action: 'tag' })),
    endpoint_ids: null,
    limits: [],
  });

const eventFacts = ({ status, ...event }: StoredEvent): EventFacts => ({
  project: event.project,
  id: event.id,
  facts: status === 'received' ? [] : factsOf({ ...event, topic: event.type, status }),
});

const deliveryRows = (event: StoredEvent): TestDelivery[] =>
  event.endpoints.map((endpoint, i) => ({
    id: `${event.id}:${i}`,
    project_id: event.project,
    event_id: event.id,
    event_type: event.type,
    endpoint_id: endpoint,
    origin: 'live',
    state: 'pending',
    attempts: 0,
    dead: 0,
    created_at: timeOfEventId(event.id),
  }));
