/** The health of an endpoint, computed from its counted attempts and deliveries. Pure. */
import { iso } from '../api/shapes.js';
import { GIVEN_UP, percentileOf, sumOf } from '../statistics/latency.js';
import { type Spans, spansOf as spansOfPeriod } from '../statistics/spans.js';
import { type EndpointHealth, type Period, PERIODS } from './routes.js';
import type { HealthRow } from './statements.js';

/** The spans of a period: the last one has now in it. */
export function spansOf(period: Period, now: number): Spans {
  const { minutes, bucketMinutes } = PERIODS[period];
  return spansOfPeriod({ buckets: minutes / bucketMinutes, bucketMinutes }, now);
}

/** Sums of some attempts. */
interface Sums {
  readonly attempts: number;
  readonly failed: number;
  readonly duration_ms: number;
  readonly slowest_ms: number;
}

/** @param rows - By span and code; those before the first span are left out. */
export function healthOf(rows: readonly HealthRow[], spans: Spans): EndpointHealth {
  const { bucketMinutes, first, count, startOf } = spans;
  const inSpan = rows.filter(({ bucket }) => bucket >= first && bucket < first + count);
  const counted = inSpan.filter(({ code }) => code !== GIVEN_UP);
  const delivered = attemptsOf(counted, 'ok');
  const undelivered = attemptsOf(inSpan, GIVEN_UP);
  const byBucket = new Map<number, HealthRow[]>();
  for (const row of counted) byBucket.set(row.bucket, [...(byBucket.get(row.bucket) ?? []), row]);
  const { attempts, failed, slowest_ms, ...times } = shownSums(counted);
  return {
    ...{ from: iso(startOf(0)), to: iso(startOf(count)), attempts, failed, ...times },
    ...{ delivered, undelivered },
    success_rate: delivered + undelivered === 0 ? null : delivered / (delivered + undelivered),
    slowest_ms: attempts === 0 ? null : slowest_ms,
    failures: failuresOf(counted),
    bucket_seconds: bucketMinutes * 60,
    series: Array.from({ length: count }, (_, i) => {
      const { slowest_ms: _slowest, ...sums } = shownSums(byBucket.get(first + i) ?? []);
      return { at: iso(startOf(i)), ...sums };
    }),
  };
}

const attemptsOf = (rows: readonly HealthRow[], wanted: string): number =>
  rows.reduce((sum, { code, attempts }) => sum + (code === wanted ? attempts : 0), 0);

/** The sums of some rows, with the mean and the percentiles. */
function shownSums(rows: readonly HealthRow[]) {
  const { attempts, failed, duration_ms, slowest_ms } = sumsOf(rows);
  const latencies = sumOf(rows);
  const percentile = (share: number): number | null => percentileOf(share, latencies, attempts, slowest_ms);
  return {
    ...{ attempts, failed, slowest_ms, mean_ms: attempts === 0 ? null : duration_ms / attempts },
    ...{ p50_ms: percentile(0.5), p95_ms: percentile(0.95), p99_ms: percentile(0.99) },
  };
}

const sumsOf = (rows: readonly HealthRow[]): Sums =>
  rows.reduce(
    (sums, { code, attempts, duration_ms, slowest_ms }) => ({
      attempts: sums.attempts + attempts,
      failed: sums.failed + (code === 'ok' ? 0 : attempts),
      duration_ms: sums.duration_ms + duration_ms,
      slowest_ms: Math.max(sums.slowest_ms, slowest_ms),
    }),
    { attempts: 0, failed: 0, duration_ms: 0, slowest_ms: 0 },
  );

function failuresOf(rows: readonly HealthRow[]): EndpointHealth['failures'] {
  const byCode = new Map<string, number>();
  for (const { code, attempts } of rows) {
    if (code !== 'ok') byCode.set(code, (byCode.get(code) ?? 0) + attempts);
  }
  const failures = [...byCode].map(([code, attempts]) => ({ code, attempts }));
  return failures.sort((a, b) => b.attempts - a.attempts || (a.code < b.code ? -1 : 1));
}
