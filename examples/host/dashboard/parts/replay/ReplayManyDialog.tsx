/** Says how many events would be replayed, and replays all of them in the background. */
import { useMemo, useState } from 'preact/hooks';
import { api, currentProject, useResource, ROOT } from '../../data/index.js';
import { Link, Notice, Skeleton, Time, toast } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { AskFirst } from '../AskFirst.js';
import { useEndpoints } from '../endpoints.js';
import { Loaded } from '../Loaded.js';
import { requestName } from '../request-name.js';
import type { ReplayFilter } from './filter-text.js';
import { ReplayChoices, type Rules } from './ReplayChoices.js';

/** The page of replays. */
export const REPLAYS = `${ROOT}/replays`;

export interface ReplayManyProps {
  readonly filter: ReplayFilter;
  /** The filter in words. */
  readonly text: string;
  readonly onClose: () => void;
  readonly onBegun?: () => void;
}

export function ReplayManyDialog({ filter: given, text, onClose, onBegun }: ReplayManyProps) {
  const project = currentProject();
  // Times such as the last hour stay those of when it was opened.
  const [filter] = useState(given);
  const [rules, setRules] = useState<Rules>(filter.status === 'dropped' ? 'again' : 'recorded');
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const endpoints = useEndpoints();
  const isOfOne = filter.missed_by !== undefined;
  const to = chosen === null ? [] : [...chosen].sort();
  const isReady = chosen === null ? !(filter.status === 'dropped' && rules === 'recorded') : to.length > 0;
  const body = { filter, rules, ...(to.length > 0 && { endpoint_ids: to }) };
  const choice = `${rules} ${to.join(' ')}`;
  // Another choice is another request.
  const idempotencyKey = useMemo(requestName, [choice]);
  const dry = useResource(`replay tried ${idempotencyKey} ${isReady}`, (signal) =>
    isReady ? api.replayEvents({ project, body: { ...body, dry: true }, signal }) : Promise.resolve(null),
  );
  const preview = isReady ? (dry.value ?? null) : null;
  const events = preview === null ? null : eventsText(preview);
  return (
    <AskFirst
      title={events === null ? 'Replay these events?' : `Replay ${events}?`}
      verb={events === null ? 'Replay' : `Replay ${events}`}
      disabled={preview === null || (preview.events === 0 && !preview.at_least)}
      onClose={onClose}
      onDo={async () => {
        await api.replayEvents({ project, body, idempotencyKey });
        toast('The replay has begun');
        onBegun?.();
      }}
    >
      <p class="hg-replay__filter">{text}</p>
      {!isOfOne && (
        <ReplayChoices {...{ rules, endpoints, chosen }} onRules={setRules} onChoose={setChosen} />
      )}
      {isReady ? (
        <Loaded of={dry} skeleton={<Skeleton height="60px" />}>
          {(value) => (value === null ? null : <PreviewText preview={value} />)}
        </Loaded>
      ) : (
        <Notice tone="warn">
          {chosen === null
            ? 'These events were dropped, so the decision of then names nobody: choose endpoints, or the rules of today.'
            : 'Choose at least one endpoint.'}
        </Notice>
      )}
      <p class="hg-soft">
        They are sent in the background, oldest first and no faster than leaves room for new events. You can
        watch them under <Link href={REPLAYS}>Replays</Link>, and stop them at any time.
      </p>
    </AskFirst>
  );
}

type Preview = Awaited<ReturnType<typeof api.replayEvents>>;

const eventsText = ({ events, at_least }: Preview): string =>
  at_least ? `at least ${counted(events, 'event')}` : counted(events, 'event');

function PreviewText({ preview }: { readonly preview: Preview }) {
  const { events, deliveries, skipped, at_least, scanned_to } = preview;
  if (events === 0 && !at_least) return <p role="status">No events match.</p>;
  return (
    <p role="status">
      {at_least && 'At least '}
      {counted(events, 'event')} {events === 1 ? 'makes' : 'make'}{' '}
      {deliveries === null
        ? 'as many deliveries as the rules of today decide'
        : counted(deliveries, 'delivery', 'deliveries')}
      .{skipped > 0 && ` ${count(skipped)} that are not decided yet are skipped.`}
      {at_least && scanned_to !== null && (
        <>
          {' '}
          Only events up to <Time at={scanned_to} /> were counted; the later ones are replayed, too.
        </>
      )}
    </p>
  );
}
