/** Success and latency over time. */
import { useState } from 'preact/hooks';
import { Plot, Select } from '../../ui/index.js';
import { duration } from '../../words/time.js';
import type { Health, Period } from './Overview.js';

const SHARES = [
  { value: 'p50_ms', text: 'p50: half of the attempts' },
  { value: 'p95_ms', text: 'p95: 95 of 100 attempts' },
  { value: 'p99_ms', text: 'p99: 99 of 100 attempts' },
] as const;
type Share = (typeof SHARES)[number]['value'];

const MINUTE = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });
const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const FORMATS = { hour: MINUTE, day: DAY, week: DAY, month: DATE } as const;

export function HealthPlots({
  health: { series },
  period,
}: {
  readonly health: Health;
  readonly period: Period;
}) {
  const [share, setShare] = useState<Share>('p95_ms');
  const times = series.map(({ at }) => FORMATS[period].format(Date.parse(at)));
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
      <div class="hg-endpoint__latency">
        <Plot
          label="Latency over time"
          times={times}
          format={duration}
          series={[{ name: share.slice(0, 3), tone: 'busy', values: series.map((one) => one[share]) }]}
        />
        <Select label="Latency in which" hideLabel value={share} options={SHARES} onChange={setShare} />
      </div>
    </div>
  );
}
