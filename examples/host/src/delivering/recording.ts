/**
 * The store of the scheduler: the library's, with the minutes of endpoints in the transaction that records attempts.
 */
import type { Attempt, DeliveryStore, Settlement } from 'headgate/delivery';
import type { Database, KeptSettlement, Row, Transaction } from '../db/index.js';
import type { Exchanges } from './exchange.js';
import { GIVEN_UP, type Latencies, NO_LATENCIES, withOne } from '../statistics/latency.js';
import { ADD_MINUTES, KEEP_ENDPOINTS } from './statements.js';

/**
 * Wraps the store of a database. Without `exchanges`, none are kept. A settlement whose answer was lost is repeated by
 * the scheduler; an attempt that is recorded already is not counted again.
 */
export const createRecordingStore = (db: Database, exchanges?: Pick<Exchanges, 'seal'>): DeliveryStore => ({
  ...db.store,
  settle(settlements) {
    const kept = settlements.map((one) => ({ ...one, kept: exchanges?.seal(one) ?? null }));
    return db.transaction((tx) => settle(tx, kept));
  },
});

async function settle(tx: Transaction, given: readonly KeptSettlement[]): Promise<readonly boolean[]> {
  const { recorded, fresh } = await tx.deliveries.settle(await withoutWaits(tx, given));
  const minutes = minutesOf(fresh.filter(hasAttempt));
  if (minutes.length > 0) {
    tx.beforeCommit([() => tx.run(ADD_MINUTES, [JSON.stringify(minutes.map(minuteRow))])]);
  }
  return recorded;
}

const isRetried = ({ delivery, attempt }: Settlement): boolean =>
  attempt !== null && delivery.state === 'pending';

/** A retry to an endpoint that was deleted during the attempt is due at once, so that it fails now and not in hours. */
async function withoutWaits(
  tx: Transaction,
  settlements: readonly KeptSettlement[],
): Promise<readonly KeptSettlement[]> {
  const endpoints = new Set(settlements.filter(isRetried).map(({ delivery }) => delivery.endpoint_id));
  if (endpoints.size === 0) return settlements;
  const kept = await tx.all<{ id: string }>(KEEP_ENDPOINTS, [JSON.stringify([...endpoints])]);
  for (const { id } of kept) endpoints.delete(id);
  return settlements.map((one) => {
    const { delivery, attempt } = one;
    if (attempt === null || !isRetried(one) || !endpoints.has(delivery.endpoint_id)) return one;
    return { ...one, delivery: { ...delivery, due_at: attempt.ended_at } };
  });
}

type Attempted = Settlement & { readonly attempt: Attempt };
const hasAttempt = (one: Settlement): one is Attempted => one.attempt !== null;

/** A row of `endpoint_minutes`, while attempts are added to it. */
interface Minute {
  readonly endpoint_id: string;
  readonly minute: number;
  readonly code: string;
  attempts: number;
  duration_ms: number;
  slowest_ms: number;
  latencies: Latencies;
}

const emptyMinute = (endpoint_id: string, minute: number, code: string): Minute => ({
  ...{ endpoint_id, minute, code },
  ...{ attempts: 0, duration_ms: 0, slowest_ms: 0, latencies: NO_LATENCIES },
});

/**
 * The minutes of attempts, in the order of their key, in which every process locks them. Failures of the sender tell
 * nothing about an endpoint that is gone, so those have none.
 */
export function minutesOf(attempts: readonly Attempted[]): readonly Readonly<Minute>[] {
  const minutes = new Map<string, Minute>();
  const at = (endpoint: string, minute: number, code: string): Minute => {
    const key = `${endpoint} ${minute} ${code}`;
    const found = minutes.get(key) ?? emptyMinute(endpoint, minute, code);
    minutes.set(key, found);
    return found;
  };
  for (const { delivery, attempt } of attempts) {
    const { started_at, ended_at, outcome } = attempt;
    const code = outcome.ok ? 'ok' : outcome.failure;
    if (code === 'endpoint_gone') continue;
    const minute = Math.floor(ended_at / 60_000);
    const row = at(delivery.endpoint_id, minute, code);
    // A clock that was set back makes no negative durations.
    const ms = Math.max(ended_at - started_at, 0);
    row.attempts++;
    row.duration_ms += ms;
    row.slowest_ms = Math.max(row.slowest_ms, ms);
    row.latencies = withOne(row.latencies, ms);
    // A delivery that never arrived is counted too, without a time: the attempt has a row of its own.
    if (delivery.state === 'failed') at(delivery.endpoint_id, minute, GIVEN_UP).attempts++;
  }
  return [...minutes.values()].sort(byKey);
}

const minuteRow = ({ latencies, ...minute }: Minute): Row => ({ ...minute, ...latencies });

const byKey = (a: Minute, b: Minute): number =>
  compare(a.endpoint_id, b.endpoint_id) || a.minute - b.minute || compare(a.code, b.code);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
