/** The overview of a project, from counts that are kept already and from sums of them. */
import { type Plan, ruleLimits } from 'headgate';
import type { Alert } from '../alerts/routes.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso, isoOrNull } from '../api/shapes.js';
import type { Database, Queries } from '../db/index.js';
import { notFound } from '../errors/problem.js';
import { GIVEN_UP, percentileOf, sumOf } from '../statistics/latency.js';
import { type Spans, spansOf } from '../statistics/spans.js';
import { type Attention, getAttention, getOverview, MOST_NAMED, type Overview, WINDOWS } from './routes.js';
import * as sql from './statements.js';
import { createSums, type SumParts, type Sums } from './sums.js';

/** Dependencies of this module. */
export interface OverviewParts extends SumParts {
  /** For the statements of the routes. */
  readonly reads: Database;
  /** The newest alerts that are not dismissed. */
  readonly alerts: (project: string, most: number) => Promise<readonly Alert[]>;
}

/** The module. */
export interface Overviews extends Sums {
  readonly routes: readonly BoundRoute[];
}

const MINUTE_MS = 60_000;

export function createOverview(parts: OverviewParts): Overviews {
  const { reads, now, alerts } = parts;
  return {
    ...createSums(parts),
    routes: [
      bind(getOverview, async ({ params: { project }, query: { window } }) => {
        const { alerts: open, failing_endpoints, dead_letters } = await attentionOf(reads, project);
        const buckets = spansOf(WINDOWS[window], now());
        return {
          ...(await flowOf(reads, project, buckets)),
          backlog: await backlogOf(reads, project),
          dead_letters,
          failing_endpoints: { count: failing_endpoints, items: await failingIn(reads, project) },
          alerts: { count: open, items: [...(await alerts(project, MOST_NAMED))] },
          rules: await rulesOf(reads, project, buckets),
        };
      }),
      bind(getAttention, ({ params: { project } }) => attentionOf(reads, project)),
    ],
  };
}

async function attentionOf(queries: Queries, project: string): Promise<Attention> {
  const row = await queries.get<Attention>(sql.SELECT_ATTENTION, [project]);
  return row ?? { alerts: 0, failing_endpoints: 0, dead_letters: 0 };
}

type Counts = Pick<
  Overview,
  'processed' | 'dropped' | 'delivered' | 'retried' | 'failed' | 'p50_ms' | 'p95_ms'
>;

/** Events and attempts, over the whole time and over each span of it. */
async function flowOf(queries: Queries, project: string, buckets: Spans) {
  const { first, count, firstMinute, bucketMinutes, startOf } = buckets;
  const values = [project, firstMinute, bucketMinutes];
  const isIn = ({ bucket }: { readonly bucket: number }): boolean =>
    bucket >= first && bucket < first + count;
  const events = (await queries.all<sql.EventsRow>(sql.SELECT_EVENTS, values)).filter(isIn);
  const attempts = (await queries.all<sql.AttemptsRow>(sql.SELECT_ATTEMPTS, values)).filter(isIn);
  const series = Array.from({ length: count }, (_, i) => {
    const isOf = ({ bucket }: { readonly bucket: number }): boolean => bucket === first + i;
    return { at: iso(startOf(i)), ...countsOf(events.filter(isOf), attempts.filter(isOf)) };
  });
  return {
    ...{ from: iso(startOf(0)), to: iso(startOf(count)), bucket_seconds: bucketMinutes * 60 },
    ...countsOf(events, attempts),
    series,
  };
}

function countsOf(events: readonly sql.EventsRow[], all: readonly sql.AttemptsRow[]): Counts {
  const ofStatus = (wanted: string): number =>
    events.reduce((sum, { status, events: n }) => sum + (status === wanted ? n : 0), 0);
  const attempts = all.filter(({ code }) => code !== GIVEN_UP);
  const total = attempts.reduce((sum, row) => sum + row.attempts, 0);
  const delivered = attempts.reduce((sum, row) => sum + (row.code === 'ok' ? row.attempts : 0), 0);
  const failed = all.reduce((sum, row) => sum + (row.code === GIVEN_UP ? row.attempts : 0), 0);
  const latencies = sumOf(attempts);
  const slowest = attempts.reduce((most, row) => Math.max(most, row.slowest_ms), 0);
  return {
    ...{ processed: ofStatus('processed'), dropped: ofStatus('dropped'), delivered, failed },
    // Each delivery that was given up had a last attempt that failed, too.
    retried: Math.max(0, total - delivered - failed),
    p50_ms: percentileOf(0.5, latencies, total, slowest),
    p95_ms: percentileOf(0.95, latencies, total, slowest),
  };
}

async function backlogOf(queries: Queries, project: string): Promise<Overview['backlog']> {
  const undecided = await queries.get<{ readonly count: number }>(sql.SELECT_UNDECIDED, [project]);
  const pending = await queries.get<sql.WaitingRow>(sql.SELECT_PENDING, [project]);
  return {
    undecided: undecided?.count ?? 0,
    pending: pending?.count ?? 0,
    oldest_pending_at: isoOrNull(pending?.oldest ?? null),
  };
}

async function failingIn(queries: Queries, project: string): Promise<Overview['failing_endpoints']['items']> {
  const items: Overview['failing_endpoints']['items'] = [];
  for (const row of await queries.all<sql.FailingRow>(sql.SELECT_FAILING, [project])) {
    const minute = Math.floor(row.failing_since / MINUTE_MS);
    const failures = await queries.all<sql.CauseRow>(sql.SELECT_CAUSES, [row.id, minute]);
    items.push({ ...row, failing_since: iso(row.failing_since), failures: [...failures] });
  }
  return items;
}

async function rulesOf(
  queries: Queries,
  project: string,
  { firstMinute, startOf }: Spans,
): Promise<Overview['rules']> {
  const room = await queries.get<sql.RoomRow>(sql.SELECT_ROOM, [project]);
  if (room === undefined) throw notFound('project');
  const limit = ruleLimits[room.plan as Plan];
  const often = await queries.all<{ readonly id: string }>(sql.SELECT_OFTEN, [project, startOf(0)]);
  const matched = await queries.all<sql.MatchedRow>(sql.SELECT_MATCHED, [JSON.stringify(often), firstMinute]);
  const unmatched = await queries.all<sql.UnmatchedRow>(sql.SELECT_UNMATCHED, [project, startOf(0)]);
  const ids = [...matched.map(({ rule_id: id }) => id), ...unmatched.map(({ id }) => id)];
  const documents = await queries.all<{ readonly id: string; readonly document: string }>(sql.SELECT_NAMES, [
    ...[project, JSON.stringify(ids)],
  ]);
  const names = new Map(
    documents.map(({ id, document }) => [id, (JSON.parse(document) as { readonly name: string }).name]),
  );
  const named = (id: string) => ({ id, name: names.get(id) ?? id });
  return {
    ...{ plan: room.plan, used: room.used, limit: Number.isFinite(limit) ? limit : null },
    matched: matched.map((row) => ({ ...named(row.rule_id), matched: row.matched })),
    unmatched: {
      count: unmatched[0]?.count ?? 0,
      items: unmatched.map((row) => ({ ...named(row.id), last_matched_at: isoOrNull(row.last_matched_at) })),
    },
  };
}
