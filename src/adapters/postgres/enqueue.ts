/** The values of the statement that enqueues: dispatches as columns. */
import { createHash } from 'node:crypto';
import { invalid } from '../../delivery/arguments.js';
import type { Columns, ColumnValue } from '../../delivery/columns.js';
import type { Delivery } from '../../delivery/delivery.js';
import type { Dispatch } from '../../delivery/store.js';
import type { PromotedRow } from '../sql/keys.js';
import { newRow } from '../sql/record.js';
import { storable } from '../sql/text.js';
import type { Database } from './database.js';
import { haveKeys, KeyHolders } from './key-holders.js';
import type { PostgresClient } from './pool.js';
import type { Statements } from './statements.js';

/** Longest id in UTF-8: an index entry of Postgres has at most 2,704 bytes, and may have a digest beside the id. */
export const MAX_ID_BYTES = 2_600;
/** Most bytes in which a unit of text is stored: an escape. */
const MOST_BYTES_OF_UNIT = 6;

/** A row of the deliveries, and the values of the user's columns in their order. */
interface NewRow extends ReturnType<typeof newRow> {
  /** The digest of the body; null if that is not stored. */
  readonly digest: Uint8Array | null;
  readonly body_bytes: number;
  readonly waiting_due_at: number | null;
  readonly user: readonly ColumnValue[];
}

/** A row of the bodies. */
interface Content {
  readonly event_id: string;
  readonly digest: Uint8Array;
  readonly bytes: Uint8Array;
  /** Unix ms. */
  readonly created_at: number;
}

/** The rows that were added. Ids are encoded by `storable`. */
export interface Enqueued {
  readonly rows: readonly { readonly id: string }[];
  /** The dispatches as they were stored: some of their deliveries may wait. */
  readonly stored: readonly Dispatch[];
  /** Deliveries that need not wait after all. */
  readonly promoted: readonly PromotedRow[];
}

/**
 * Adds deliveries. Their ids were checked by {@link assertIds}.
 *
 * @param client - A connection with an open transaction; required if deliveries have ordering keys.
 */
export async function enqueue(
  database: Database,
  statements: Statements,
  dispatches: readonly Dispatch[],
  client?: PostgresClient,
): Promise<Enqueued> {
  const { columns } = statements;
  if (client === undefined || !haveKeys(dispatches)) {
    const rows = await database.rows<{ id: string }>(
      statements.enqueue,
      enqueueValues(dispatches, columns, false),
      client,
    );
    return { rows, stored: dispatches, promoted: [] };
  }
  const keys = new KeyHolders(database, statements);
  const stored = await keys.take(dispatches, client);
  const values = enqueueValues(stored, columns, true);
  const rows = await database.rows<{ id: string }>(statements.enqueueWithKeys, values, client);
  const added = new Set(rows.map(({ id }) => id));
  return { rows, stored, promoted: await keys.passUnused(stored, added, client) };
}

/**
 * The values of the statement `enqueue`, and of `enqueueWithKeys`, which takes two more. Of deliveries with the same
 * id, the first is taken.
 */
function enqueueValues(dispatches: readonly Dispatch[], columns: Columns, hasKeys: boolean): unknown[] {
  const contents = new Map<string, Content>();
  const rows = new Map<string, NewRow>();
  for (const { body, deliveries, storeBody = true } of dispatches) {
    const digest = storeBody ? createHash('sha256').update(body).digest() : null;
    for (const delivery of deliveries) {
      const user = columns.list(delivery.columns);
      const row = { ...rowOf(delivery), digest, body_bytes: body.length, user };
      if (rows.has(row.id)) continue;
      rows.set(row.id, row);
      if (digest === null) continue;
      const { event_id, created_at } = row;
      const key = `${digest.toString('hex')} ${event_id}`;
      // A copy, since the pool may send it later; a Buffer, since every version of `pg` can send one in an array.
      if (!contents.has(key)) contents.set(key, { event_id, digest, bytes: Buffer.from(body), created_at });
    }
  }
  const list = [...rows.values()];
  return [
    ...arraysOf(list, ROW_COLUMNS),
    ...arraysOf([...contents.values()], ['event_id', 'digest', 'bytes', 'created_at']),
    list.map(({ body_bytes }) => body_bytes),
    ...columns.names.map((_, i) => list.map(({ user }) => user[i])),
    ...(hasKeys ? arraysOf(list, ['ordering_key', 'waiting_due_at']) : []),
  ];
}

/** The row of a delivery that waits has no `due_at`, by which claims find rows. */
function rowOf(delivery: Delivery) {
  const row = newRow(delivery);
  if (delivery.state !== 'waiting') return { ...row, waiting_due_at: null };
  return { ...row, due_at: null, waiting_due_at: row.due_at };
}

/**
 * Refuses ids that are too long.
 *
 * @throws {@link OptionError} `invalid_option`.
 */
export function assertIds(dispatches: readonly Dispatch[]): void {
  for (const { deliveries } of dispatches) deliveries.forEach(assertIndexable);
}

/** An endpoint and an ordering key are in one index. */
function assertIndexable({ id, event_id, endpoint_id, ordering_key }: Delivery): void {
  const texts = [id, event_id, endpoint_id + (ordering_key ?? '')];
  if (texts.every(({ length }) => length <= MAX_ID_BYTES / MOST_BYTES_OF_UNIT)) return;
  const bytes = Math.max(...texts.map((text) => Buffer.byteLength(storable(text))));
  if (bytes <= MAX_ID_BYTES) return;
  throw invalid(`an id has ${bytes} bytes: Postgres indexes up to ${MAX_ID_BYTES}`);
}

const ROW_COLUMNS: readonly (keyof NewRow)[] = [
  ...(['id', 'event_id', 'event_type', 'endpoint_id', 'origin', 'replay_of'] as const),
  ...(['due_at', 'created_at', 'digest', 'lease'] as const),
];

const arraysOf = <Row>(rows: readonly Row[], names: readonly (keyof Row)[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]));
