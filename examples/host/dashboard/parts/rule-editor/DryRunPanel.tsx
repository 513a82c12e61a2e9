/** Tries the rule on the stored events of the last hours, and shows what it would have done. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Action, type Match, stringifyJson } from 'headgate/slim';
import { hasCode, sentenceOf } from '../../data/index.js';
import { announce, Button, Diff, JsonTree, Link, Notice, Plot, Select, Tag } from '../../ui/index.js';
import { count, counted, percent } from '../../words/numbers.js';
import { ACTIONS, statusOf } from '../../words/statuses.js';
import { type DryRunReport, type DryRunSoFar, runDryRun } from './dry-run.js';
import './DryRunPanel.css';
import type { NamedEndpoint } from '../endpoints.js';
import { spanTimes } from './span-times.js';

export interface DryRunPanelProps {
  readonly project: string;
  /** Null while it is not valid. */
  readonly match: Match | null;
  /** Null while it is not valid. */
  readonly action: Action | null;
  readonly endpoints: readonly NamedEndpoint[];
}

/** How far a dry-run is, and of which rule it is. */
type Run =
  | { readonly status: 'none' }
  | { readonly status: 'running'; readonly soFar: DryRunSoFar | null }
  | { readonly status: 'stopped'; readonly soFar: DryRunSoFar | null }
  | {
      readonly status: 'done';
      readonly report: DryRunReport;
      readonly of: string;
      readonly windowHours: string;
    }
  | { readonly status: 'failed'; readonly why: string; readonly soFar: DryRunSoFar | null };

const WINDOWS = [
  { value: '1', text: 'the last hour' },
  { value: '24', text: 'the last 24 hours' },
  { value: '168', text: 'the last 7 days' },
] as const;
type WindowHours = (typeof WINDOWS)[number]['value'];

/** The part of a rule that a dry-run depends on. */
interface Tried {
  readonly match: Match;
  readonly action: Action;
}

/** Names it. */
const keyOf = ({ match, action }: Tried): string => stringifyJson({ match, action });

export function DryRunPanel({ project, match, action, endpoints }: DryRunPanelProps) {
  const rule = match === null || action === null ? null : { match, action };
  const [windowHours, setWindowHours] = useState<WindowHours>('24');
  const [run, setRun] = useState<Run>({ status: 'none' });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async (of: Tried): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    let soFar: DryRunSoFar | null = null;
    setRun({ status: 'running', soFar });
    const body = { ...of, stage: 'deliver' as const, windowHours: Number(windowHours) };
    try {
      const report = await runDryRun(project, body, controller.signal, (told) => {
        soFar = told;
        if (!controller.signal.aborted) setRun({ status: 'running', soFar });
      });
      setRun({ status: 'done', report, of: keyOf(of), windowHours });
      announce(matchedText(report));
    } catch (error) {
      if (controller.signal.aborted) setRun({ status: 'stopped', soFar });
      else setRun({ status: 'failed', why: sentenceOf(error), soFar: countsOf(error) ?? soFar });
    }
  };
  const isRunning = run.status === 'running';
  return (
    <div class="hg-stack">
      <div class="hg-dry-run__bar">
        <Select<WindowHours>
          label="Events of"
          hideLabel
          value={windowHours}
          options={WINDOWS}
          onChange={setWindowHours}
          disabled={isRunning}
        />
        {isRunning ? (
          <Button icon="close" onClick={() => abort.current?.abort()}>
            Stop
          </Button>
        ) : (
          <Button icon="play" disabled={rule === null} onClick={() => rule !== null && void start(rule)}>
            Dry-run
          </Button>
        )}
      </div>
      {rule === null && (
        <p class="hg-soft hg-small">Its conditions and its action must be valid before it can be tried.</p>
      )}
      {run.status === 'none' && rule !== null && (
        <p class="hg-soft hg-small">It tries the rule on stored events, and changes nothing.</p>
      )}
      {isRunning && <Progress soFar={run.soFar} />}
      {run.status === 'stopped' && (
        <Notice tone="quiet">Stopped. {run.soFar !== null && matchedText(run.soFar)}</Notice>
      )}
      {run.status === 'failed' && (
        <Notice tone="bad">
          {run.why} {run.soFar !== null && matchedText(run.soFar)}
        </Notice>
      )}
      {run.status === 'done' && (
        <Report
          report={run.report}
          windowHours={run.windowHours}
          endpoints={endpoints}
          isOld={rule === null || keyOf(rule) !== run.of}
        />
      )}
    </div>
  );
}

/** A dry-run that took too long tells how far it came. */
function countsOf(error: unknown): DryRunSoFar | null {
  if (!hasCode(error, 'dry_run_timeout')) return null;
  const { matched, scanned } = error.body;
  return typeof matched === 'number' && typeof scanned === 'number'
    ? (error.body as unknown as DryRunSoFar)
    : null;
}

const matchedText = ({ matched, scanned }: Pick<DryRunSoFar, 'matched' | 'scanned'>): string =>
  `${count(matched)} of ${counted(scanned, 'event')} matched.`;

const Progress = ({ soFar }: { readonly soFar: DryRunSoFar | null }) => (
  <div class="hg-dry-run__progress">
    <progress aria-label="Dry-run under way" />
    <span class="hg-small hg-soft">
      {soFar === null ? 'It begins…' : `${count(soFar.scanned)} scanned, ${count(soFar.matched)} matched`}
    </span>
  </div>
);

interface ReportProps {
  readonly report: DryRunReport;
  readonly windowHours: string;
  readonly endpoints: readonly NamedEndpoint[];
  readonly isOld: boolean;
}

function Report({ report, windowHours, endpoints, isOld }: ReportProps) {
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
            : `matched in ${WINDOWS.find(({ value }) => value === windowHours)?.text ?? ''}, ${percent(matched / scanned)}`}
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
      {histogram.length > 0 && scanned > 0 && (
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
      )}
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

type SampleOf = DryRunReport['samples'][number];

const Sample = ({
  sample,
  endpoints,
}: {
  readonly sample: SampleOf;
  readonly endpoints: readonly NamedEndpoint[];
}) => (
  <details class="hg-sample">
    <summary>
      <span class="hg-mono hg-cut">{sample.id}</span> <SampleEffect sample={sample} endpoints={endpoints} />
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
function SampleEffect({
  sample,
  endpoints,
}: {
  readonly sample: SampleOf;
  readonly endpoints: readonly NamedEndpoint[];
}): ComponentChildren {
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
