/** Tries the rule on the stored events of the last hours, and shows what it would have done. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Action, type Match, stringifyJson } from 'headgate/slim';
import { hasCode, sentenceOf } from '../../data/index.js';
import { announce, Button, Notice, Select } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { type DryRunReport, type DryRunSoFar, runDryRun } from './dry-run.js';
import './DryRunPanel.css';
import { DryRunResult } from './DryRunResult.js';
import type { NamedEndpoint } from '../endpoints.js';

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
      readonly windowHours: WindowHours;
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
  const { run, start, stop } = useRun(project);
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
          <Button icon="close" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button
            icon="play"
            disabled={rule === null}
            onClick={() => rule !== null && void start(rule, windowHours)}
          >
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
      {run.status === 'done' ? (
        <DryRunResult
          report={run.report}
          window={WINDOWS.find(({ value }) => value === run.windowHours)?.text ?? ''}
          endpoints={endpoints}
          isOld={rule === null || keyOf(rule) !== run.of}
        />
      ) : (
        <Unfinished run={run} />
      )}
    </div>
  );
}

/** One dry-run at a time, which is stopped when the panel goes. */
function useRun(project: string) {
  const [run, setRun] = useState<Run>({ status: 'none' });
  const abort = useRef<AbortController | null>(null);
  const stop = (): void => abort.current?.abort();
  useEffect(() => stop, []);
  const start = async (of: Tried, windowHours: WindowHours): Promise<void> => {
    const { signal } = (abort.current = new AbortController());
    let soFar: DryRunSoFar | null = null;
    setRun({ status: 'running', soFar });
    const body = { ...of, stage: 'deliver' as const, windowHours: Number(windowHours) };
    try {
      const report = await runDryRun(project, body, signal, (told) => {
        soFar = told;
        if (!signal.aborted) setRun({ status: 'running', soFar });
      });
      setRun({ status: 'done', report, of: keyOf(of), windowHours });
      announce(matchedText(report));
    } catch (error) {
      if (signal.aborted) setRun({ status: 'stopped', soFar });
      else setRun({ status: 'failed', why: sentenceOf(error), soFar: countsOf(error) ?? soFar });
    }
  };
  return { run, start, stop };
}

function Unfinished({ run }: { readonly run: Run }) {
  switch (run.status) {
    case 'running':
      return <Progress soFar={run.soFar} />;
    case 'stopped':
      return <Notice tone="quiet">Stopped. {run.soFar !== null && matchedText(run.soFar)}</Notice>;
    case 'failed':
      return (
        <Notice tone="bad">
          {run.why} {run.soFar !== null && matchedText(run.soFar)}
        </Notice>
      );
    default:
      return null;
  }
}

/** A dry-run that took too long says how far it got. */
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
