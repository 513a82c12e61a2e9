/** Tries a pattern on sample texts while it is written: matches are marked, and the redacted text is shown below. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api, type Output } from '../../data/index.js';
import { TextArea } from '../../ui/index.js';
import { useTrial } from './use-trial.js';

export interface PatternTrialProps {
  readonly project: string;
  readonly pattern: string;
  /** The replacement of a redact; left out for a pattern that only matches. */
  readonly replace?: string;
  /** Texts of recent events, until others are given. */
  readonly samples: readonly string[];
}

type Item = Output<'tryPattern'>['items'][number];

const MOST = 5;

export function PatternTrial({ project, pattern, replace, samples }: PatternTrialProps) {
  const [given, setGiven] = useState<string | null>(null);
  const text = given ?? samples.slice(0, MOST).join('\n');
  const texts = text
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, MOST);
  const isReady = pattern !== '' && texts.length > 0;
  const body = { pattern, texts, ...(replace !== undefined && { replace }) };
  // The ranges of an answer are those of the texts that were sent.
  const trial = useTrial(isReady ? JSON.stringify(body) : null, async (signal) => {
    const { items } = await api.tryPattern({ project, body, signal });
    return items.map((item, index) => ({ item, text: body.texts[index] ?? '' }));
  });
  return (
    <details class="hg-trial" data-own-undo="">
      <summary>Try it on samples</summary>
      <div class="hg-stack">
        <TextArea label="Samples, one a line" code rows={3} value={text} onInput={setGiven} />
        {trial.value !== null && (
          <ul class="hg-trial__results" aria-label="Results" aria-busy={trial.isBusy}>
            {trial.value.map(({ item, text: tried }, index) => (
              <li key={index}>
                <Result text={tried} item={item} />
              </li>
            ))}
          </ul>
        )}
        {trial.error !== null && <p class="hg-soft hg-small">{trial.error}</p>}
      </div>
    </details>
  );
}

const RESULTS = {
  held: 'matches',
  not_held: 'no match',
  undecided: 'too much work, so it counts as no match',
} as const;

const Result = ({ text, item }: { readonly text: string; readonly item: Item }) => (
  <>
    <div class="hg-trial__text">{marked(text, item.ranges)}</div>
    <div class="hg-small hg-soft">
      {RESULTS[item.result]}
      {item.redacted !== null && item.result === 'held' && (
        <>
          , becomes <code>{item.redacted}</code>
        </>
      )}
    </div>
  </>
);

/** A text with its matches marked. */
function marked(text: string, ranges: Item['ranges']): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return [...parts, text.slice(at)];
}
