/** Stores what has arrived: the requests of one tick in one transaction, and of each receiver only the last ones. */
import { stringifyJson } from 'headgate';
import type { Database } from '../db/index.js';
import { createBatch } from '../caching/batch.js';
import { newId } from '../ids.js';
import type { StoredRequest } from './shown.js';
import { ARRIVED, TRIM } from './statements.js';

/** A request that is to be kept. */
export interface Arrival {
  readonly receiver: string;
  readonly project: string;
  /** Unix ms. */
  readonly at: number;
  readonly request: StoredRequest;
}

/** Resolves once an arrival is on the disk. One whose receiver was deleted meanwhile is not kept. */
export function createKeeping(db: Database): (arrival: Arrival) => Promise<void> {
  const keep = createBatch(async (arrivals: readonly Arrival[]): Promise<ReadonlyMap<Arrival, void>> => {
    const byReceiver = new Map<string, Arrival[]>();
    for (const arrival of arrivals) {
      byReceiver.set(arrival.receiver, [...(byReceiver.get(arrival.receiver) ?? []), arrival]);
    }
    await db.transaction(async (tx) => {
      // In the order of their ids, so that two processes never wait for each other.
      for (const receiver of [...byReceiver.keys()].sort()) {
        const all = byReceiver.get(receiver) ?? [];
        const last = Math.max(...all.map(({ at }) => at));
        if ((await tx.run(ARRIVED, [receiver, all.length, last])) === 0) continue;
        await tx.insert('received_requests', all.map(rowOf));
        await tx.run(TRIM, [receiver]);
      }
    });
    return new Map();
  });
  return (arrival) => keep(arrival);
}

const rowOf = ({ receiver, project, at, request }: Arrival) => ({
  id: newId(at),
  receiver_id: receiver,
  project_id: project,
  at,
  request: stringifyJson(request),
});
