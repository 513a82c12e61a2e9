/** The health of many endpoints at once. */
import { setImmediate as turn } from 'node:timers/promises';
import type { z } from 'zod';
import type { Queries } from '../db/index.js';
import { healthOf, spansOf } from './health.js';
import type { listEndpointHealth, Period } from './routes.js';
import { HEALTH_OF_SOME, type HealthOfRow, type PendingRow, SELECT_PENDING } from './statements.js';

type Item = z.input<(typeof listEndpointHealth)['answer']>['items'][number];

/** Endpoints whose minutes one statement reads, so that the event loop runs in between. */
const AT_ONCE = 10;
const MOST_PENDING = 1_000;

/** @param now - Unix ms. */
export async function healthOfAll(
  queries: Queries,
  { project, endpoints }: { readonly project: string; readonly endpoints: readonly string[] },
  period: Period,
  now: number,
): Promise<readonly Item[]> {
  const spans = spansOf(period, now);
  const items: Item[] = [];
  for (let at = 0; at < endpoints.length; at += AT_ONCE) {
    const some = endpoints.slice(at, at + AT_ONCE);
    const values = [JSON.stringify(some), spans.firstMinute, spans.bucketMinutes];
    const rows = await queries.all<HealthOfRow>(HEALTH_OF_SOME, values);
    const waiting = await queries.all<PendingRow>(SELECT_PENDING, [
      JSON.stringify(some.map((id) => ({ id }))),
      project,
    ]);
    const pending = new Map(waiting.map((row) => [row.id, Math.min(row.pending, MOST_PENDING)]));
    for (const id of some) {
      const own = rows.filter(({ endpoint_id }) => endpoint_id === id);
      items.push({ endpoint_id: id, pending: pending.get(id) ?? 0, ...healthOf(own, spans) });
    }
    await turn();
  }
  return items;
}
