/** Counts of decided events over time, and the types and tags that they have. */
import { iso } from '../api/shapes.js';
import type { Queries } from '../db/index.js';
import { spansOf } from '../statistics/spans.js';
import { type EventSeries, SERIES_PERIODS, type SeriesPeriod } from './routes.js';
import { type CountedRow, type FactRow, SELECT_FACTS, SELECT_SERIES } from './statements.js';

/** @param now - Unix ms. */
export async function seriesOf(
  queries: Queries,
  project: string,
  period: SeriesPeriod,
  now: number,
): Promise<EventSeries> {
  const { bucketMinutes, first, count, firstMinute, startOf } = spansOf(SERIES_PERIODS[period], now);
  const rows = await queries.all<CountedRow>(SELECT_SERIES, [project, firstMinute, bucketMinutes]);
  const series = Array.from({ length: count }, (_, i) => ({ at: iso(startOf(i)), processed: 0, dropped: 0 }));
  const sums = { processed: 0, dropped: 0 };
  for (const { bucket, status, events } of rows) {
    const span = series[bucket - first];
    // An event of a sender's future is counted once its time has come.
    if (span === undefined) continue;
    span[status] = events;
    sums[status] += events;
  }
  return {
    from: iso(startOf(0)),
    to: iso(startOf(count)),
    bucket_seconds: bucketMinutes * 60,
    ...sums,
    series,
  };
}

/** Above every character. */
const LAST = '\u{10FFFF}';

/** Types or tags that begin with a text, in the order of their characters. */
export async function valuesOf(
  queries: Queries,
  project: string,
  {
    of,
    prefix,
    limit,
  }: { readonly of: 'type' | 'topic' | 'tag'; readonly prefix: string; readonly limit: number },
): Promise<string[]> {
  const low = `${of}:${JSON.stringify(prefix).slice(0, -1)}`;
  const rows = await queries.all<FactRow>(SELECT_FACTS, [project, low, low + LAST, limit]);
  const sorted = [...rows].sort((a, b) => a.nth - b.nth);
  return sorted.map(({ fact }) => JSON.parse(fact.slice(of.length + 1)) as string);
}
