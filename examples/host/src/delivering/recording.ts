/** The store of the scheduler: the library's, with the minutes of endpoints in the transaction that records attempts. */
import type { Attempt, DeliveryStore, Settlement } from 'headgate/delivery';
import type { Database, Row, Transaction } from '../db/index.js';
import { GIVEN_UP, type Latencies, NO_LATENCIES, withOne } from '../statistics/latency.js';
import { ADD_MINUTES, KEEP_ENDPOINTS } from './statements.js';

/**
 * Wraps the store of a database. A settlement whose answer was lost is repeated by the scheduler; an attempt that is recorded
 * already is not counted again.
 */
export const createRecordingStore = (db: Database): DeliveryStore => ({
  ...db.store,
  settle: (settlements) => db.transaction((tx) => settle(tx, settlements)),
});

async function settle(tx: Transaction, given: readonly Settlement[]): Promise<readonly boolean[]> {
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
  settlements: readonly Settlement[],
): Promise<readonly Settlement[]> {
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

/** A row of `endpoint_minutes`. */
interface Minute {
  readonly endpoint_id: string;
  readonly minute: number;
  readonly code: string;
  readonly attempts: number;
  readonly duration_ms: number;
  readonly slowest_ms: number;
  readonly latencies: Latencies;
}

/**
 * The minutes of attempts, in the order of their key, in which every process locks them. Failures of the sender tell
 * nothing about an endpoint that is gone, so those have none.
 */
export function minutesOf(attempts: readonly Attempted[]): readonly Minute[] {
  const minutes = new Map<string, Minute>();
  for (const { delivery, attempt } of attempts) {
    const { started_at, ended_at, outcome } = attempt;
    const code = outcome.ok ? 'ok' : outcome.failure;
    if (code === 'endpoint_gone') continue;
    const minute = Math.floor(ended_at / 60_000);
    const key = `${delivery.endpoint_id} ${minute} ${code}`;
    // A clock that was set back makes no negative durations.
    const ms = Math.max(ended_at - started_at, 0);
    const known = minutes.get(key);
    const { attempts: before = 0, duration_ms = 0, slowest_ms = 0, latencies = NO_LATENCIES } = known ?? {};
    minutes.set(key, {
      ...{ endpoint_id: delivery.endpoint_id, minute, code },
      ...{ attempts: before + 1, duration_ms: duration_ms + ms, slowest_ms: Math.max(slowest_ms, ms) },
      latencies: withOne(latencies, ms),
    });
    if (delivery.state === 'failed') addGivenUp(minutes, delivery.endpoint_id, minute);
  }
  return [...minutes.values()].sort(byKey);
}

/** Counts a delivery that never arrived. Its row has no time: the attempt has one of its own. */
function addGivenUp(minutes: Map<string, Minute>, endpoint_id: string, minute: number): void {
  const key = `${endpoint_id} ${minute} ${GIVEN_UP}`;
  const attempts = (minutes.get(key)?.attempts ?? 0) + 1;
  const times = { duration_ms: 0, slowest_ms: 0, latencies: NO_LATENCIES };
  minutes.set(key, { endpoint_id, minute, code: GIVEN_UP, attempts, ...times });
}

const minuteRow = ({ latencies, ...minute }: Minute): Row => ({ ...minute, ...latencies });

const byKey = (a: Minute, b: Minute): number =>
  compare(a.endpoint_id, b.endpoint_id) || a.minute - b.minute || compare(a.code, b.code);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
