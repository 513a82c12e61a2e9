/** The effect of an edit before it is saved: on every event there can be, by proof, and on those of the last day. */
import { useMemo } from 'preact/hooks';
import { type RuleDocument, stringifyJson } from 'headgate/slim';
import { api, type Output } from '../../data/index.js';
import { Code, Link } from '../../ui/index.js';
import { comparisonText, decisionText, newestChanged } from './model/effect.js';
import { pretty } from './model/print.js';
import { type Trial, useTrial } from './use-trial.js';

/** The saved rule. */
export interface ComparedRule {
  readonly id: string;
  readonly enabled: boolean;
  /** A new version is another question. */
  readonly version: number;
}

export interface ChangeEffectProps {
  readonly project: string;
  readonly saved: ComparedRule;
  /** The rule as it is edited; null while it is not valid. */
  readonly rule: RuleDocument | null;
}

const PAUSE_MS = 1_000;
const WINDOW_HOURS = 24;

export function ChangeEffect({ project, saved: { id, enabled, version }, rule }: ChangeEffectProps) {
  const key = useMemo(
    () => (rule === null ? null : stringifyJson({ id, enabled, version, rule })),
    [rule, id, enabled, version],
  );
  const proof = useTrial(
    key,
    (signal) => api.proveRule({ project, body: { id, enabled, rule: rule ?? undefined }, signal }),
    PAUSE_MS,
  );
  const compared = useTrial(
    key,
    (signal) => {
      const changed = rule === null ? [] : [{ ...rule, id, enabled } as RuleDocument];
      const body = { window_hours: WINDOW_HOURS, changed, keep: false };
      return api.createComparison({ project, body, signal });
    },
    PAUSE_MS,
  );
  if (rule === null) {
    return <p class="hg-soft hg-small">Once the rule is valid, you see here what the change does.</p>;
  }
  return (
    <div class="hg-stack hg-effect" aria-busy={proof.isBusy || compared.isBusy}>
      <Proof trial={proof} />
      <Compared trial={compared} />
    </div>
  );
}

const Waiting = ({ text, trial: { error } }: { readonly text: string; readonly trial: Trial<unknown> }) => (
  <p class="hg-soft hg-small">{error ?? text}</p>
);

function Proof({ trial }: { readonly trial: Trial<Output<'proveRule'>> }) {
  const { value } = trial;
  if (value === null) {
    return <Waiting text="Looking for an event that is decided differently…" trial={trial} />;
  }
  if (value.answer === 'same') {
    return <p class="hg-small">No event is decided differently. This is proved.</p>;
  }
  if (value.answer === 'unknown' || value.before === null || value.after === null) {
    return <p class="hg-small">Whether any event is decided differently could not be proved.</p>;
  }
  return (
    <>
      <p class="hg-small">
        Now this event is {decisionText(value.before)}. With the change, it is {decisionText(value.after)}
        {decisionText(value.before) === decisionText(value.after) && ', with other data'}:
      </p>
      <Code label="An event that is decided differently" text={pretty(stringifyJson(value.event))} />
    </>
  );
}

function Compared({ trial }: { readonly trial: Trial<Output<'createComparison'>> }) {
  const { value } = trial;
  if (value === null) return <Waiting text="Comparing with the last 24 hours…" trial={trial} />;
  const newest = newestChanged(value);
  return (
    <p class="hg-small">
      {comparisonText(value)}{' '}
      {newest !== null && (
        <>
          The newest is <Link href={`/dashboard/events/${newest.id}`}>{newest.topic}</Link>.
        </>
      )}
    </p>
  );
}
