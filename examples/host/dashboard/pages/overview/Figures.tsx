/** The numbers of the whole time, and those of now. */
import type { ComponentChildren } from 'preact';
import { cappedCount } from '../../parts/attention.js';
import { Link, Time } from '../../ui/index.js';
import { count, percent, rate } from '../../words/numbers.js';
import { duration } from '../../words/time.js';
import type { OverviewProps } from './props.js';

const NONE = '–';

const ms = (value: number | null): string => (value === null ? NONE : duration(value));

export function Figures({ overview, span }: OverviewProps) {
  const { processed, dropped, delivered, failed, p50_ms, p95_ms, series, bucket_seconds } = overview;
  const { backlog, dead_letters: letters } = overview;
  const events = processed + dropped;
  const ended = delivered + failed;
  const minutes = (series.length * bucket_seconds) / 60;
  const figures: readonly (readonly [name: string, value: ComponentChildren])[] = [
    ['Events', events === 0 ? '0' : <Link href={`/dashboard/events?since=${span}`}>{count(events)}</Link>],
    ['Per minute', rate(events / minutes)],
    ['Delivered', ended === 0 ? NONE : percent(delivered / ended)],
    ['p50', ms(p50_ms)],
    ['p95', ms(p95_ms)],
    ['Not decided', cappedCount(backlog.undecided)],
    ['Pending', cappedCount(backlog.pending)],
    ['Oldest pending', backlog.oldest_pending_at === null ? NONE : <Time at={backlog.oldest_pending_at} />],
    [
      'Dead letters',
      letters === 0 ? '0' : <Link href="/dashboard/dead-letters">{cappedCount(letters)}</Link>,
    ],
  ];
  return (
    <section class="hg-card" aria-label="In numbers">
      <dl class="hg-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
