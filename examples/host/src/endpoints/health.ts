/** The health of an endpoint, reckoned from its counted attempts. Pure. */
import { iso } from '../api/shapes.js';
import { type EndpointHealth, type Period, PERIODS } from './routes.js';
import type { HealthRow } from './statements.js';

const MINUTE_MS = 60_000;
const NO_PERCENTILES = { p50_ms: null, p95_ms: null, p99_ms: null };

/** The spans of a period: the last one has now in it. */
export interface Spans {
  readonly bucketMinutes: number;
  /** Number of the first span, counted from 1970. */
  readonly first: number;
  readonly count: number;
}

export function spansOf(period: Period, now: number): Spans {
  const { minutes, bucketMinutes } = PERIODS[period];
  const count = minutes / bucketMinutes;
  const last = Math.floor(now / (bucketMinutes * MINUTE_MS));
  return { bucketMinutes, first: last - count + 1, count };
}

/** Sums of some attempts. */
interface Sums {
  readonly attempts: number;
  readonly failed: number;
  readonly duration_ms: number;
}

/** @param rows - By span and code; those before the first span are left out. */
export function healthOf(rows: readonly HealthRow[], { bucketMinutes, first, count }: Spans): EndpointHealth {
  const startOf = (bucket: number): string => iso(bucket * bucketMinutes * MINUTE_MS);
  const counted = rows.filter(({ bucket }) => bucket >= first);
  const { attempts, failed, duration_ms } = sumsOf(counted);
  const byBucket = new Map<number, HealthRow[]>();
  for (const row of counted) byBucket.set(row.bucket, [...(byBucket.get(row.bucket) ?? []), row]);
  return {
    from: startOf(first),
    to: startOf(first + count),
    attempts,
    failed,
    success_rate: attempts === 0 ? null : (attempts - failed) / attempts,
    mean_ms: attempts === 0 ? null : duration_ms / attempts,
    ...NO_PERCENTILES,
    slowest_ms: counted.length === 0 ? null : Math.max(...counted.map(({ slowest_ms }) => slowest_ms)),
    failures: failuresOf(counted),
    bucket_seconds: bucketMinutes * 60,
    series: Array.from({ length: count }, (_, i) => {
      const sums = sumsOf(byBucket.get(first + i) ?? []);
      const mean_ms = sums.attempts === 0 ? null : sums.duration_ms / sums.attempts;
      return {
        at: startOf(first + i),
        attempts: sums.attempts,
        failed: sums.failed,
        mean_ms,
        ...NO_PERCENTILES,
      };
    }),
  };
}

const sumsOf = (rows: readonly HealthRow[]): Sums =>
  rows.reduce(
    (sums, { code, attempts, duration_ms }) => ({
      attempts: sums.attempts + attempts,
      failed: sums.failed + (code === 'ok' ? 0 : attempts),
      duration_ms: sums.duration_ms + duration_ms,
    }),
    { attempts: 0, failed: 0, duration_ms: 0 },
  );

function failuresOf(rows: readonly HealthRow[]): EndpointHealth['failures'] {
  const byCode = new Map<string, number>();
  for (const { code, attempts } of rows) {
    if (code !== 'ok') byCode.set(code, (byCode.get(code) ?? 0) + attempts);
  }
  const failures = [...byCode].map(([code, attempts]) => ({ code, attempts }));
  return failures.sort((a, b) => b.attempts - a.attempts || (a.code < b.code ? -1 : 1));
}
