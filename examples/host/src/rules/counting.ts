/** Counts of the matches of all rules over the last days. */
import { setImmediate as turn } from 'node:timers/promises';
import { iso } from '../api/shapes.js';
import type { Queries } from '../db/index.js';
import { cursorAfter } from '../http/cursor.js';
import { spansOf } from '../statistics/spans.js';
import { COUNT_PERIODS, type CountPeriod, type RuleCountsPage } from './routes.js';
import { SELECT_PAGE_IDS, SELECT_SPANS, type SpanRow } from './statements.js';

/** Minutes of rules that one statement reads at most, so that the event loop runs in between. */
const MINUTES_OF_STATEMENT = 20_000;

/** Which rules, and of what time. */
export interface CountsQuery {
  readonly period: CountPeriod;
  readonly limit: number;
  /** The sort key after which the page begins. */
  readonly after: readonly [priority: number, id: string];
  /** Unix ms. */
  readonly now: number;
}

export async function countsOf(
  queries: Queries,
  project: string,
  { period, limit, after, now }: CountsQuery,
): Promise<RuleCountsPage> {
  const { bucketMinutes, first, count, firstMinute, startOf } = spansOf(COUNT_PERIODS[period], now);
  const rules = await queries.all<{ id: string; priority: number }>(SELECT_PAGE_IDS, [
    ...[project, ...after],
    limit + 1,
  ]);
  const page = rules.slice(0, limit);
  const series = new Map(page.map(({ id }) => [id, Array<number>(count).fill(0)]));
  const atOnce = Math.max(1, Math.floor(MINUTES_OF_STATEMENT / (count * bucketMinutes)));
  for (let at = 0; at < page.length; at += atOnce) {
    const ids = JSON.stringify(page.slice(at, at + atOnce).map(({ id }) => id));
    for (const row of await queries.all<SpanRow>(SELECT_SPANS, [ids, firstMinute, bucketMinutes])) {
      const spans = series.get(row.rule_id);
      const index = row.bucket - first;
      if (spans !== undefined && index < count) spans[index] = row.matched;
    }
    await turn();
  }
  const last = page.at(-1);
  return {
    ...{ from: iso(startOf(0)), to: iso(startOf(count)), bucket_seconds: bucketMinutes * 60 },
    items: [...series].map(([id, spans]) => ({
      rule_id: id,
      matched: spans.reduce((sum, matched) => sum + matched, 0),
      series: spans,
    })),
    next: rules.length > limit && last !== undefined ? cursorAfter([last.priority, last.id]) : null,
  };
}
