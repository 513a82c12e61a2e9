/** Success and latency over time. */
import { Plot } from '../../ui/index.js';
import { duration, PLOT_TIMES } from '../../words/time.js';
import type { Health, Period } from './health.js';

export const SHARES = [
  { value: 'p50_ms', text: 'p50: half of the attempts' },
  { value: 'p95_ms', text: 'p95: 95 of 100 attempts' },
  { value: 'p99_ms', text: 'p99: 99 of 100 attempts' },
] as const;
export type Share = (typeof SHARES)[number]['value'];

const { hour, days, month } = PLOT_TIMES;
const FORMATS = { hour, day: days, week: days, month } as const;

export interface HealthPlotsProps {
  readonly health: Health;
  readonly period: Period;
  /** The percentile of the latency plot. */
  readonly share: Share;
}

export function HealthPlots({ health: { series }, period, share }: HealthPlotsProps) {
  const times = series.map(({ at }) => FORMATS[period](Date.parse(at)));
  return (
    <div class="hg-endpoint__plots">
      <Plot
        label="Attempts over time"
        times={times}
        series={[
          {
            name: 'Delivered',
            tone: 'good',
            values: series.map(({ attempts, failed }) => attempts - failed),
          },
          { name: 'Failed', tone: 'bad', values: series.map(({ failed }) => failed) },
        ]}
      />
      <Plot
        label="Latency over time"
        times={times}
        format={duration}
        series={[{ name: share.slice(0, 3), tone: 'busy', values: series.map((one) => one[share]) }]}
      />
    </div>
  );
}
