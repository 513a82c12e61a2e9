/**
 * The bare program: all that a host must do with an event, and nothing else. It commits a row of the event and one of
 * each delivery, sends the deliveries with the same signatures, and marks each as done. It has the host's driver, its
 * settings of the database, and its way of gathering rows in transactions. There are no rules, retries, leases, lists
 * or limits, and the body is not parsed.
 */
import { createSigner } from 'headgate/signing';
import { type Dispatcher, Pool } from 'undici';
import { type DatabaseOptions, openDatabase } from '../src/db/index.js';
import { createEventIds } from '../src/ids.js';
import { groupCommit, listenBare } from './bare-server.js';
import type { Recorded } from './subjects.js';

const newEventId = createEventIds();

/** The order in the argument of the process. */
export interface BareOrder {
  readonly options: DatabaseOptions;
  /** The URLs that each event is sent to, all of one origin. */
  readonly endpoints: readonly string[];
}

/** As many as the host has in flight to two endpoints. */
const CONNECTIONS = 64;
const EVENT_TYPE = 'webhook.received';
/** A server that plans for tables with rows finds them by their keys. */
const ROWS_BEFORE = 5_000;

const { options, endpoints } = JSON.parse(process.argv[2] ?? '') as BareOrder;
const targets = endpoints.map((endpoint) => new URL(endpoint));
const db = await openDatabase(options);
await db.run('create table bare_events (id text primary key, received_at bigint, body text)');
await db.run(`create table bare_deliveries
  (id text primary key, event_id text, endpoint integer, done integer)`);
const deliveryRow = (event_id: string, endpoint: number, done = 0) => ({
  ...{ id: `${event_id}:${endpoint}`, event_id, endpoint, done },
});
await db.insert(
  'bare_deliveries',
  Array.from({ length: ROWS_BEFORE }, (_, i) => deliveryRow(`evt_${i}`, 0, 1)),
);
await db.run('analyze bare_deliveries');

const pool = new Pool(targets[0]?.origin ?? '', { connections: CONNECTIONS });
const signer = createSigner({ secrets: 'a secret of the bench', brand: 'Svc' });
const recorded = { decided: 0, delivered: 0 };

const store = groupCommit<string, string>(db, async (bodies) => {
  const received_at = Date.now();
  const rows = bodies.map((body) => ({ id: newEventId(received_at), received_at, body }));
  const deliveries = rows.flatMap(({ id }) => targets.map((_, i) => deliveryRow(id, i)));
  await db.transaction((tx) => {
    tx.beforeCommit([() => tx.insert('bare_events', rows), () => tx.insert('bare_deliveries', deliveries)]);
    return Promise.resolve();
  });
  recorded.decided += rows.length;
  for (const { id, body } of rows) deliver(id, body);
  return rows.map(({ id }) => id);
});

const finish = groupCommit<string, undefined>(db, async (ids) => {
  await db.run(
    {
      sqlite: 'update bare_deliveries set done = 1 where id in (select value from json_each($1))',
      postgres: `update bare_deliveries set done = 1
        where id = any(array(select json_array_elements_text($1::json)))`,
    },
    [JSON.stringify(ids)],
  );
  recorded.delivered += ids.length;
  return ids.map(() => undefined);
});

function deliver(eventId: string, data: string): void {
  const body = Buffer.from(
    `{"id":"${eventId}","type":"${EVENT_TYPE}","tags":["tag-0"],"data":{"body":${data}}}`,
  );
  targets.forEach(({ pathname }, i) => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = signer.headers(body, { eventId, eventType: EVENT_TYPE, origin: 'live', timestamp });
    const request = { path: pathname, method: 'POST', headers, body } as const;
    pool.dispatch(request, answer(`${eventId}:${i}`));
  });
}

const nothing = (): void => undefined;

/** Marks a delivery as done once its answer has begun. */
const answer = (id: string): Dispatcher.DispatchHandler => ({
  onRequestStart: nothing,
  onResponseStart(_, status) {
    if (status < 300) void finish(id);
  },
  onResponseData: nothing,
  onResponseEnd: nothing,
  onResponseError(_, error) {
    throw error;
  },
});

process.on('message', () => process.send?.(recorded satisfies Recorded));
process.on('disconnect', () => process.exit(0));
process.send?.(await listenBare(store));
