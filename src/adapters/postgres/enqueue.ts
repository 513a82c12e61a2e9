/** Dispatches as the columns of one statement. */
import { createHash } from 'node:crypto';
import type { Dispatch } from '../../delivery/store.js';
import { newRow } from '../sql/record.js';

type NewRow = ReturnType<typeof newRow>;

/** A body of an event. */
interface Content {
  readonly event_id: string;
  readonly digest: Uint8Array;
  readonly bytes: Uint8Array;
  /** Of the newest delivery that carries it; Unix ms. */
  created_at: number;
  /** From 1. */
  place: number;
}

/**
 * The values of `enqueue`. Of what comes twice only the first is sent; all are in the order of their keys, so that those
 * who write the same at the same time wait in line.
 */
export function enqueueValues(dispatches: readonly Dispatch[]): unknown[] {
  const contents = new Map<string, Content>();
  const added = new Map<string, { readonly row: NewRow; readonly content: Content }>();
  for (const { body: bytes, deliveries } of dispatches) {
    const digest = createHash('sha256').update(bytes).digest();
    for (const row of deliveries.map(newRow)) {
      if (added.has(row.id)) continue;
      const key = `${digest.toString('hex')} ${row.event_id}`;
      const content = contents.get(key) ?? { ...row, digest, bytes, place: 0 };
      content.created_at = Math.max(content.created_at, row.created_at);
      contents.set(key, content);
      added.set(row.id, { row, content });
    }
  }
  const bodies = inOrder(contents);
  bodies.forEach((content, i) => (content.place = i + 1));
  const deliveries = inOrder(added);
  return [
    ...columns(
      ['id', 'event_id', 'event_type', 'endpoint_id', 'origin', 'replay_of', 'due_at', 'created_at'],
      deliveries.map(({ row }) => row),
    ),
    deliveries.map(({ content }) => content.place),
    ...columns(['event_id', 'digest', 'bytes', 'created_at'], bodies),
  ];
}

const inOrder = <Value>(values: ReadonlyMap<string, Value>): Value[] =>
  Array.from(values)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);

const columns = <Row>(names: readonly (keyof Row)[], rows: readonly Row[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]));
