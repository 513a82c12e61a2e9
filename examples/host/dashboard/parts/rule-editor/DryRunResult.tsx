/** The effect that a rule would have had on stored events: counts, a plot over time, and samples. */
import type { ComponentChildren } from 'preact';
import { Diff, JsonTree, Link, Notice, Plot, Tag } from '../../ui/index.js';
import { count, counted, percent } from '../../words/numbers.js';
import { ACTIONS, statusOf } from '../../words/statuses.js';
import { visible } from '../../words/visible.js';
import type { DryRunReport } from './dry-run.js';
import type { NamedEndpoint } from '../endpoints.js';
import { spanTimes } from './span-times.js';

export interface DryRunResultProps {
  readonly report: DryRunReport;
  /** The time from which the events are, in words. */
  readonly window: string;
  readonly endpoints: readonly NamedEndpoint[];
  readonly isOld: boolean;
}

export function DryRunResult({ report, window, endpoints, isOld }: DryRunResultProps) {
  const { matched, scanned, undated, limits, byAction, samples, histogram } = report;
  return (
    <div class="hg-stack">
      {isOld && <Notice tone="warn">The rule has changed since this dry-run.</Notice>}
      <div>
        <p class="hg-dry-run__count">
          {count(matched)} of {counted(scanned, 'event')}
        </p>
        <p class="hg-soft hg-small">
          {scanned === 0
            ? 'No events were stored in this time.'
            : `matched in ${window}, ${percent(matched / scanned)}`}
        </p>
      </div>
      <ul class="hg-row" aria-label="By action">
        {Object.entries(byAction).map(([type, number]) => (
          <li key={type} class="hg-small">
            {statusOf(ACTIONS, type).text}: <span class="hg-number">{count(number)}</span>
          </li>
        ))}
      </ul>
      {limits > 0 && (
        <Notice tone="warn">
          On {counted(limits, 'event')}, a condition or operation needed more work than a rule may do on one
          event. Such a condition counts as not met.
        </Notice>
      )}
      {undated > 0 && <Notice tone="quiet">{counted(undated, 'event')} without a time were left out.</Notice>}
      {histogram.length > 0 && scanned > 0 && <Histogram histogram={histogram} />}
      {samples.length > 0 && (
        <section aria-label="Samples">
          <h3 class="hg-small">
            {samples.length < matched ? `The newest ${samples.length} that matched` : 'Those that matched'}
          </h3>
          <ul class="hg-samples">
            {samples.map((sample) => (
              <li key={sample.id}>
                <Sample sample={sample} endpoints={endpoints} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const Histogram = ({ histogram }: Pick<DryRunReport, 'histogram'>) => (
  <Plot
    label="Events over the window"
    height={140}
    times={spanTimes(histogram.map(({ from }) => Date.parse(from)))}
    series={[
      { name: 'Matched', tone: 'busy', values: histogram.map((part) => part.matched) },
      {
        name: 'Not matched',
        tone: 'quiet',
        values: histogram.map((part) => part.scanned - part.matched),
      },
    ]}
  />
);

interface SampleProps {
  readonly sample: DryRunReport['samples'][number];
  readonly endpoints: readonly NamedEndpoint[];
}

const Sample = ({ sample, endpoints }: SampleProps) => (
  <details class="hg-sample">
    <summary>
      <bdi class="hg-cut">{visible(sample.topic ?? sample.type)}</bdi>{' '}
      <span class="hg-mono hg-soft hg-small" title={sample.id}>
        …{sample.id.slice(-6)}
      </span>{' '}
      <SampleEffect sample={sample} endpoints={endpoints} />
    </summary>
    <div class="hg-stack">
      <Link href={`/dashboard/events/${sample.id}`}>Open the event</Link>
      {sample.diff !== undefined && sample.diff.length > 0 && <Diff label="Changes" changes={sample.diff} />}
      {sample.diff_truncated === true && (
        <p class="hg-small hg-soft">There are more changes than are shown.</p>
      )}
      {sample.data_truncated === true ? (
        <p class="hg-soft hg-small">The samples are too large to show the data of this one here.</p>
      ) : (
        <JsonTree label="Data as the rule saw it" root="data" value={sample.data} />
      )}
    </div>
  </details>
);

/** The effect in a few words. */
function SampleEffect({ sample, endpoints }: SampleProps): ComponentChildren {
  const { diff, endpoint_ids: ids, tags } = sample;
  if (diff !== undefined) {
    return (
      <span class="hg-small hg-soft">
        {diff.length === 0 ? 'nothing changes' : counted(diff.length, 'change')}
      </span>
    );
  }
  if (ids !== undefined) {
    const names = ids.map((id) => endpoints.find((one) => one.id === id)?.name ?? id);
    return (
      <span class="hg-small hg-soft">
        {names.length === 0 ? 'reaches no endpoint' : `to ${names.join(', ')}`}
      </span>
    );
  }
  if (tags === undefined) return <span class="hg-small hg-soft">dropped</span>;
  if (tags.length === 0) return <span class="hg-small hg-soft">has the tags already</span>;
  return tags.map((tag) => <Tag key={tag} text={tag} />);
}
