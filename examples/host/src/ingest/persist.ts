/** Stores a batch of events, each at most once for its idempotency key. */
import type { Row, Transaction } from '../db/index.js';
import type { PersistedEvent } from '../stored/event-json.js';
import { SELECT_KEYS, TAKE_EXPIRED } from './statements.js';

/** The key under which a request may come again. */
export interface IdempotencyKey {
  readonly scope: string;
  readonly key: string;
  /** The digest of the body. */
  readonly digest: string;
}

/** An event that is to be stored. */
export interface NewEvent {
  readonly event: PersistedEvent;
  readonly key: IdempotencyKey | null;
  /** From when any process may decide it; Unix ms. */
  readonly decideAt: number;
}

/** The result for an event: stored now, the event of an earlier request with its key, or a conflict. */
export type Persisted =
  { readonly id: string; readonly status: EventStatus; readonly duplicate: boolean } | 'idempotency_conflict';

type EventStatus = 'received' | 'processed' | 'dropped';

const DAY_MS = 86_400_000;

/**
 * Stores events with their keys.
 *
 * @param at - Unix ms.
 * @returns The result for each, in the order given.
 */
export async function persistEvents(
  tx: Transaction,
  all: readonly NewEvent[],
  at: number,
): Promise<readonly Persisted[]> {
  const known = await takeKeys(tx, all, at);
  const results = all.map(({ event, key }): Persisted => {
    const found = key === null ? undefined : known.get(nameOf(key));
    if (key === null || found === undefined || found.result === event.id) {
      return { id: event.id, status: 'received', duplicate: false };
    }
    if (found.digest !== key.digest) return 'idempotency_conflict';
    return { id: found.result, status: found.status ?? 'received', duplicate: true };
  });
  const isNew = (i: number): boolean => {
    const result = results[i];
    return result !== undefined && result !== 'idempotency_conflict' && !result.duplicate;
  };
  const fresh = all.filter((_, i) => isNew(i));
  tx.beforeCommit([
    () => tx.insert('events', fresh.map(eventRow)),
    () => tx.insert('event_payloads', fresh.map(payloadRow)),
  ]);
  return results;
}

interface KeyRow {
  readonly scope: string;
  readonly key: string;
  readonly digest: string;
  readonly result: string;
  readonly status: EventStatus | null;
}

const nameOf = ({ scope, key }: { readonly scope: string; readonly key: string }): string =>
  `${scope} ${key}`;

/**
 * Takes the keys that nobody has, and returns who has each. In the order of keys, so that processes do not lock
 * crosswise.
 */
async function takeKeys(
  tx: Transaction,
  all: readonly NewEvent[],
  at: number,
): Promise<ReadonlyMap<string, KeyRow>> {
  const rows = new Map<string, { readonly project: string; readonly row: Row }>();
  for (const { event, key } of all) {
    // The first of several in one batch counts as the first.
    if (key === null || rows.has(nameOf(key))) continue;
    const row = { ...key, result: event.id, expires_at: at + DAY_MS };
    rows.set(nameOf(key), { project: event.project, row });
  }
  if (rows.size === 0) return new Map();
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  await tx.insert(
    'idempotency_keys',
    sorted.map(({ row }) => row),
    TAKE_EXPIRED,
  );
  const asked = sorted.map(({ project, row: { scope, key } }) => ({ project, scope, key }));
  const found = await tx.all<KeyRow>(SELECT_KEYS, [JSON.stringify(asked)]);
  return new Map(found.map((row) => [nameOf(row), row]));
}

const eventRow = ({ event, decideAt }: NewEvent): Row => ({
  id: event.id,
  project_id: event.project,
  channel_id: event.channelId,
  type: event.type,
  topic: event.topic === event.type ? null : event.topic,
  status: 'received',
  received_at: event.receivedAt,
  decide_at: decideAt,
  decide_failures: 0,
});

const payloadRow = ({ event }: NewEvent): Row => ({
  event_id: event.id,
  channel_name: event.channelName,
  data: event.data,
  raw_payload: event.rawPayload,
  given_tags: event.givenTags,
  ordering_key: event.orderingKey,
  traceparent: event.traceparent,
});
