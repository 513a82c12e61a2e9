/** The values of the statement that enqueues: dispatches as columns. */
import { createHash } from 'node:crypto';
import { invalid } from '../../delivery/arguments.js';
import type { Columns, ColumnValue } from '../../delivery/columns.js';
import type { Dispatch } from '../../delivery/store.js';
import { newRow } from '../sql/record.js';

/** Longest id in UTF-8: an index entry of Postgres has at most 2,704 bytes, and may have a digest beside the id. */
export const MAX_ID_BYTES = 2_600;

/** A row of the deliveries, and the values of the user's columns in their order. */
type NewRow = ReturnType<typeof newRow> & Pick<Content, 'digest'> & { readonly user: readonly ColumnValue[] };

/** A row of the bodies. */
interface Content {
  readonly event_id: string;
  readonly digest: Uint8Array;
  readonly bytes: Uint8Array;
  /** Unix ms. */
  readonly created_at: number;
}

/**
 * The values of the statement `enqueue`. Of deliveries with the same id, the first is taken.
 *
 * @throws {@link OptionError} `invalid_option` for an id that is too long.
 */
export function enqueueValues(dispatches: readonly Dispatch[], columns: Columns): unknown[] {
  const contents = new Map<string, Content>();
  const rows = new Map<string, NewRow>();
  for (const { body, deliveries } of dispatches) {
    const digest = createHash('sha256').update(body).digest();
    for (const delivery of deliveries) {
      const row = { ...newRow(delivery), digest, user: columns.list(delivery.columns) };
      if (rows.has(row.id)) continue;
      assertIndexable(row);
      rows.set(row.id, row);
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
    ...columns.names.map((_, i) => list.map(({ user }) => user[i])),
  ];
}

function assertIndexable({ id, event_id, endpoint_id }: NewRow): void {
  const bytes = Math.max(...[id, event_id, endpoint_id].map((text) => Buffer.byteLength(text)));
  if (bytes <= MAX_ID_BYTES) return;
  throw invalid(`an id has ${bytes} bytes: Postgres indexes up to ${MAX_ID_BYTES}`);
}

const ROW_COLUMNS: readonly (keyof NewRow)[] = [
  ...(['id', 'event_id', 'event_type', 'endpoint_id', 'origin', 'replay_of'] as const),
  ...(['due_at', 'created_at', 'digest', 'lease'] as const),
];

const arraysOf = <Row>(rows: readonly Row[], names: readonly (keyof Row)[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]));
