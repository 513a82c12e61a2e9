/** Rows for tests of deciding: projects, and events that were persisted and not decided. */
import type { Claim, Dispatch, Reservation } from 'headgate/delivery';
import type { Database } from '../../src/db/index.js';
import type { VersionedDecision } from '../../src/deciding/decision.js';
import type { PersistedEvent } from '../../src/stored/event-json.js';
import { createCounter } from '../../src/matches/counter.js';
import { createEventIds, newId } from '../../src/ids.js';
import { eventIdsOf, type PostingRow } from '../../src/stored/postings.js';

const newEventId = createEventIds();

export const AT = 1_800_000_000_000;

/** A project with nothing in it; returns its id. */
export async function seedProject(db: Database): Promise<string> {
  const id = newId(AT);
  await db.insert('projects', [
    {
      ...{ id, name: 'p', plan: 'scale', retention_days: 30, auto_pause_days: null },
      ...{ rules_version: 1, log_position: 0, created_at: AT, updated_at: AT },
    },
  ]);
  return id;
}

/** Events of a project, as ingest stores them. */
export async function seedEvents(
  db: Database,
  project: string,
  bodies: readonly unknown[],
  decideAt = AT,
): Promise<readonly PersistedEvent[]> {
  const events = bodies.map((body): PersistedEvent => ({
    id: newEventId(AT),
    project,
    channelId: 'c1',
    channelName: 'orders',
    ...{
      type: 'webhook.received',
      topic: 'webhook.received',
      givenTags: null,
      orderingKey: null,
      traceparent: null,
    },
    receivedAt: AT,
    data: JSON.stringify({ body }),
    rawPayload: JSON.stringify({ method: 'POST', body: JSON.stringify(body) }),
  }));
  await db.transaction(async (tx) => {
    await tx.insert(
      'events',
      events.map(({ id, channelId, type, receivedAt }) => ({
        ...{ id, project_id: project, channel_id: channelId, type, status: 'received' },
        ...{ received_at: receivedAt, decide_at: decideAt, decide_failures: 0 },
      })),
    );
    await tx.insert(
      'event_payloads',
      events.map(({ id, channelName, data, rawPayload }) => ({
        ...{ event_id: id, channel_name: channelName, data, raw_payload: rawPayload },
      })),
    );
  });
  return events;
}

/** A decision in which no rule matched, but for what is given. */
export const decisionOf = (changes: Partial<VersionedDecision> = {}): VersionedDecision => ({
  outcome: 'deliver',
  droppedBy: null,
  matched: [],
  matchedCount: changes.matched?.length ?? 0,
  matchedIds: (changes.matched ?? []).map(({ id }) => id).join(' '),
  tags: [],
  endpointIds: null,
  limits: [],
  projected: null,
  rulesVersion: 1,
  ...changes,
});

/** Everything that decisions write, table by table. */
export async function recordedRows(db: Database): Promise<Readonly<Record<string, readonly object[]>>> {
  const tables = {
    events:
      'select id, status, decide_at, rules_version, dropped_by, tags, decision, log_position from events order by id',
    payloads: 'select event_id, projected from event_payloads order by event_id',
    log: 'select * from event_log order by project_id, position',
    deliveries: 'select id, event_id, endpoint_id, state, due_at from {deliveries} order by id',
    heads: 'select id, log_position from projects order by id',
    counts: 'select * from rule_counts order by rule_id',
    events_by_minute: 'select * from event_minutes order by project_id, minute, status',
    minutes: 'select * from rule_minutes order by rule_id, minute',
  };
  await createCounter({ db, report: (error) => console.error(error) }).count();
  const read = Object.entries(tables).map(async ([name, sql]) => {
    const rows = await db.all<object>(sql);
    return [name, rows.map((row) => ({ ...row }))] as const;
  });
  return { ...Object.fromEntries(await Promise.all(read)), facts: await storedFacts(db) };
}

/** Live entries of the log that are not where their events say, and events that say where but have none. */
export const wrongPositions = (db: Database): Promise<readonly object[]> =>
  db.all(`select e.id, e.log_position, l.position from events as e
      left join event_log as l on l.event_id = e.id and l.replay_id is null
    where e.log_position is distinct from l.position or (e.status = 'processed') <> (l.position is not null)`);

/** The facts of events, in order. */
export async function storedFacts(
  db: Database,
): Promise<readonly { readonly project: string; readonly fact: string; readonly id: string }[]> {
  const rows = await db.all<PostingRow>('select * from event_postings order by project_id, fact');
  return rows
    .flatMap((row) => eventIdsOf(row).map((id) => ({ project: row.project_id, fact: row.fact, id })))
    .sort((a, b) => (`${a.fact} ${a.id}` < `${b.fact} ${b.id}` ? -1 : 1));
}

/** All deliveries that the library's store has, with their bodies; it leases them. */
export async function claimAll(db: Database): Promise<readonly Claim[]> {
  const request = {
    lease: newId(AT),
    at: AT,
    until: AT + 1,
    limit: 1_000,
    perEndpoint: 1_000,
    inFlight: new Map(),
  };
  return (await db.store.claim(request)).claims;
}

/** A process without a scheduler: nothing is leased. */
export const noScheduler = {
  reserve: (dispatches: readonly Dispatch[]): Reservation => ({
    ...{ dispatches, isPartial: dispatches.length > 0 },
    begin: () => undefined,
    release: () => undefined,
  }),
  wake: () => undefined,
};
