/** How long attempts took, as counts between fixed bounds: sums of them tell percentiles of any time. Pure. */

/**
 * Each column of `endpoint_minutes` counts the attempts that took at most this many milliseconds, and more than the one
 * before.
 */
export const LATENCY_BOUNDS = [25, 50, 100, 250, 500, 1_000, 2_500, 5_000] as const;
/** The code under which `endpoint_minutes` counts deliveries that never arrived, beside their attempts. */
export const GIVEN_UP = 'given_up';

type Column = `ms_${(typeof LATENCY_BOUNDS)[number]}`;
export const LATENCY_COLUMNS = LATENCY_BOUNDS.map((bound): Column => `ms_${bound}`);

/** Counts by column; what took longer than the last bound has none. */
export type Latencies = Readonly<Record<Column, number>>;

export const NO_LATENCIES = Object.fromEntries(LATENCY_COLUMNS.map((column) => [column, 0])) as Latencies;

/** Counts with one attempt more; one that took longer than the last bound adds to none. */
export function withOne(latencies: Latencies, ms: number): Latencies {
  const column = LATENCY_COLUMNS[LATENCY_BOUNDS.findIndex((bound) => ms <= bound)];
  return column === undefined ? latencies : { ...latencies, [column]: latencies[column] + 1 };
}

/** The sum of counts. */
export const sumOf = (rows: readonly Latencies[]): Latencies =>
  rows.reduce(
    (sum, row) =>
      Object.fromEntries(LATENCY_COLUMNS.map((column) => [column, sum[column] + row[column]])) as Latencies,
    NO_LATENCIES,
  );

/**
 * An estimate of the milliseconds in which a share of the attempts ended: within the bounds, attempts are taken as
 * spread evenly.
 *
 * @param all - Attempts, those that took longer than the last bound among them.
 * @param slowest - Milliseconds of the slowest.
 */
export function percentileOf(
  share: number,
  latencies: Latencies,
  all: number,
  slowest: number,
): number | null {
  if (all === 0) return null;
  const wanted = share * all;
  let [before, low] = [0, 0];
  for (const [i, bound] of LATENCY_BOUNDS.entries()) {
    const count = latencies[LATENCY_COLUMNS[i] as Column];
    if (count > 0 && before + count >= wanted) {
      return Math.min(low + ((bound - low) * (wanted - before)) / count, slowest);
    }
    before += count;
    low = bound;
  }
  return Math.min(low + ((slowest - low) * (wanted - before)) / (all - before), slowest);
}
