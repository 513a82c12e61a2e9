/** Events, deliveries and latency over time. */
import { Plot } from '../../ui/index.js';
import { count, rate } from '../../words/numbers.js';
import { duration, PLOT_TIMES } from '../../words/time.js';
import type { OverviewProps } from './props.js';

const { hour, days, month } = PLOT_TIMES;
const FORMATS = { '1h': hour, '24h': days, '7d': days, '30d': month } as const;

export function FlowPlots({ overview: { series, bucket_seconds }, span }: OverviewProps) {
  const times = series.map(({ at }) => FORMATS[span](Date.parse(at)));
  const minutes = bucket_seconds / 60;
  return (
    <div class="hg-overview__plots">
      <div class="hg-card">
        <Plot
          label="Events per minute"
          times={times}
          format={rate}
          series={[
            { name: 'Processed', tone: 'busy', values: series.map((one) => one.processed / minutes) },
            { name: 'Dropped', tone: 'quiet', values: series.map((one) => one.dropped / minutes) },
          ]}
        />
      </div>
      <div class="hg-card">
        <Plot
          label="Deliveries"
          times={times}
          exact={count}
          series={[
            { name: 'Delivered', tone: 'good', values: series.map(({ delivered }) => delivered) },
            { name: 'Retried', tone: 'warn', values: series.map(({ retried }) => retried) },
            { name: 'Failed for good', tone: 'bad', values: series.map(({ failed }) => failed) },
          ]}
        />
      </div>
      <div class="hg-card">
        <Plot
          label="Duration of attempts"
          kind="lines"
          times={times}
          format={duration}
          series={[
            { name: 'p50', tone: 'quiet', values: series.map(({ p50_ms }) => p50_ms) },
            { name: 'p95', tone: 'busy', values: series.map(({ p95_ms }) => p95_ms) },
          ]}
        />
      </div>
    </div>
  );
}
