/** The writes that one event causes, from its request to the recorded attempts, in both databases. */
import { randomBytes, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Delivery, Dispatch, Exchange } from 'headgate/delivery';
import pg from 'pg';
import { type Database, type DatabaseOptions } from '../../src/db/index.js';
import { recordDecisions } from '../../src/deciding/record.js';
import { createRecordingStore } from '../../src/delivering/recording.js';
import type { PersistedEvent } from '../../src/stored/event-json.js';
import { createEventIds, newId } from '../../src/ids.js';
import { persistEvents } from '../../src/ingest/persist.js';
import { exchanges } from '../exchanges.js';
import { AT, decisionOf, seedProject } from './seed.js';

const newEventId = createEventIds();

/** Events that are taken together, as under load. */
const BATCH = 50;
const ENDPOINTS = [randomUUID(), randomUUID()].map((id) => ({ id, status: 'active' as const }));
const RULE = { id: newId(AT), name: 'tags orders', action: 'tag' };
/** With its members, about 1 KB. */
const DATA = { order: { id: 7, note: 'x'.repeat(900) } };

/**
 * Takes a batch of events through the host: persisted, decided by one rule that tags them, delivered to two endpoints.
 *
 * @param areKept - Whether the exchanges of the attempts are kept.
 * @returns The number of events.
 */
export async function passEvents(db: Database, project: string, areKept: boolean): Promise<number> {
  const events = Array.from({ length: BATCH }, (): PersistedEvent => ({
    ...{ id: newEventId(AT), project, channelId: 'c1', channelName: 'orders', type: 'webhook.received' },
    ...{ topic: 'webhook.received', givenTags: null, orderingKey: null, traceparent: null },
    ...{ receivedAt: AT, data: JSON.stringify({ body: DATA }) },
    rawPayload: '{"method":"POST","path":"/in/x","query":"","headers":{"content-type":"application/json"}}',
  }));
  await db.transaction((tx) =>
    persistEvents(
      tx,
      events.map((event) => ({ event, key: null, decideAt: AT + 30_000 })),
      AT,
    ),
  );
  const decided = events.map((event) => ({
    event,
    decision: decisionOf({ matched: [RULE], tags: ['urgent'] }),
  }));
  const leased: Delivery[] = [];
  const lease = randomUUID();
  // As a scheduler reserves them that has free slots.
  const reserve = (dispatches: readonly Dispatch[]): { readonly dispatches: readonly Dispatch[] } => ({
    dispatches: dispatches.map((dispatch) => {
      const taken = dispatch.deliveries.map((one) => ({
        ...one,
        state: 'leased' as const,
        lease,
        due_at: AT + 15_000,
      }));
      leased.push(...taken);
      return { ...dispatch, deliveries: taken };
    }),
  });
  await db.transaction((tx) => recordDecisions(tx, decided, () => ENDPOINTS, AT, { reserve }));
  const outcome = { ok: true, status: 204 } as const;
  await createRecordingStore(db, exchanges).settle(
    leased.map((delivery) => {
      const attempt = { number: 1, started_at: AT, ended_at: AT + 5, outcome };
      const over = { state: 'delivered', due_at: null, lease: null, finished_at: AT + 5 } as const;
      const ended = { ...delivery, ...over, attempts: 1, last_attempt: attempt };
      const url = 'https://e.example/hooks';
      return {
        lease: delivery.lease ?? '',
        delivery: ended,
        attempt,
        url,
        ...(areKept && { exchange: exchangeOf(ended) }),
      };
    }),
  );
  return BATCH;
}

const HEADERS = [
  ...(['Date', 'Fri, 27 Nov 2026 08:00:00 GMT', 'Connection', 'keep-alive'] as const),
  ...(['Keep-Alive', 'timeout=5'] as const),
];

/** The request of a delivery, and a usual answer. */
function exchangeOf({ event_id, event_type }: Delivery): Exchange {
  const lines = [
    ...[
      'POST /hooks HTTP/1.1',
      'host: e.example',
      'connection: keep-alive',
      'Content-Type: application/json',
    ],
    ...['User-Agent: svc-dispatcher/1', `Svc-Event-Id: ${event_id}`, `Svc-Event-Type: ${event_type}`],
    ...['Svc-Origin: live', `Svc-Signature: t=${AT / 1_000},v1=${randomBytes(32).toString('hex')}`],
    ...['content-length: 1100', '', ''],
  ];
  const headers = HEADERS.flatMap((name, i) => (i % 2 === 0 ? [[name, HEADERS[i + 1] ?? ''] as const] : []));
  return {
    request_head: lines.join('\r\n'),
    response: { status: 204, headers, body: new Uint8Array(), is_complete: true },
    timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: 4.2, total_ms: 5 },
  };
}

/** The cost of one event in Postgres. */
export interface PostgresWrites {
  readonly rows: number;
  readonly entries: number;
  readonly locks: number;
  readonly bytes: number;
  /** Rows and entries by the table or index that they are in. */
  readonly byRelation: Readonly<Record<string, number>>;
}

/** Counts what Postgres writes for one event, by its write-ahead log. */
export async function postgresWrites(
  db: Database,
  options: Extract<DatabaseOptions, { readonly postgres: string }>,
  areKept: boolean,
): Promise<PostgresWrites> {
  const client = new pg.Client({ connectionString: options.postgres });
  await client.connect();
  await client.query('create extension if not exists pg_walinspect');
  const project = await seedProject(db);
  // The first batch makes rows that all others share, and pages.
  await passEvents(db, project, areKept);
  const position = async (): Promise<string> =>
    (await client.query<{ at: string }>('select pg_current_wal_insert_lsn() as at')).rows[0]!.at;
  const from = await position();
  const events = (await passEvents(db, project, areKept)) + (await passEvents(db, project, areKept));
  const until = await position();
  const { rows } = await client.query<{ relation: string; kind: string; n: string; bytes: string }>(COUNTED, [
    ...[from, until, [options.schema, `${options.schema ?? ''}_deliveries`]],
  ]);
  await client.end();
  const sum = (kinds: RegExp): number =>
    rows.filter(({ kind }) => kinds.test(kind)).reduce((all, { n }) => all + Number(n), 0) / events;
  const byRelation: Record<string, number> = {};
  for (const { relation, kind, n } of rows) {
    if (ROWS.test(kind) || ENTRIES.test(kind)) {
      byRelation[relation] = (byRelation[relation] ?? 0) + Number(n) / events;
    }
  }
  const bytes = rows.reduce((all, one) => all + Number(one.bytes), 0) / events;
  return { rows: sum(ROWS), entries: sum(ENTRIES), locks: sum(/^Heap LOCK/), bytes, byRelation };
}

const ROWS = /^Heap2? (?:INSERT|MULTI_INSERT|UPDATE|HOT_UPDATE)/;
const ENTRIES = /^Btree (?:INSERT|SPLIT)/;

/** A multi-insert says how many rows it has. Records of other tests on the server are of other relations. */
const COUNTED = `
  with records as (
    select resource_manager || ' ' || record_type as kind, record_length - fpi_length as bytes,
      coalesce(substring(description from 'ntuples:? (\\d+)')::int, 1) as n,
      substring(block_ref from 'rel \\d+/\\d+/(\\d+)')::oid as node
    from pg_get_wal_records_info($1, $2)
  )
  select c.relname as relation, kind, sum(case when kind like '%MULTI_INSERT%' then n else 1 end) as n, sum(bytes) as bytes
  from records join pg_class as c on c.relfilenode = node join pg_namespace as s on s.oid = c.relnamespace
  where s.nspname = any ($3) group by c.relname, kind`;

/** Bytes that one event adds to the write-ahead log of SQLite. */
export async function sqliteWrites(
  db: Database,
  { sqlite: path }: Extract<DatabaseOptions, { readonly sqlite: string }>,
  areKept: boolean,
): Promise<number> {
  const project = await seedProject(db);
  await passEvents(db, project, areKept);
  const before = statSync(`${path}-wal`).size;
  const events = (await passEvents(db, project, areKept)) + (await passEvents(db, project, areKept));
  return (statSync(`${path}-wal`).size - before) / events;
}
