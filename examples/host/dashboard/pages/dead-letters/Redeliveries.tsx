/** Bulk redeliveries, running and past ones: how far each is, and a way to stop it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  api,
  currentProject,
  mayManage,
  type Output,
  type Resource,
  sentenceOf,
  useLive,
  useResource,
} from '../../data/index.js';
import { Actor, useKeyNames } from '../../parts/Actor.js';
import type { Pages } from '../../parts/use-pages.js';
import { announce, Badge, Button, Pager, Section, Time, toast } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import type { Status } from '../../words/statuses.js';
import { filterText } from './filter.js';
import { isUnderWay, type Progress, ProgressBar } from './ProgressBar.js';

type Redelivery = Output<'listRedeliveries'>['items'][number];

const STATES: Readonly<Record<Redelivery['state'], Status>> = {
  running: { text: 'Running', tone: 'busy', explains: 'Letters are being sent again.' },
  stopped: { text: 'Stopped', tone: 'warn', explains: 'The rest was not sent, and stays here.' },
  done: { text: 'All sent', tone: 'quiet', explains: 'All letters were sent again.' },
};

export interface RedeliveriesProps {
  readonly pages: Pages<Redelivery>;
  readonly endpointName: (id: string) => string | null;
  /** Letters have left the queue, or have come back. */
  readonly onProgress: () => void;
}

/** Nothing where there is none, so that the letters stand at the top. */
export function Redeliveries({ pages, endpointName, onProgress }: RedeliveriesProps) {
  const names = useKeyNames();
  const { items = [], next = null } = pages.value ?? {};
  if (items.length === 0) return null;
  return (
    <Section title="Redeliveries">
      <ul class="hg-redeliveries" aria-label="Redeliveries">
        {items.map((one) => (
          <Line
            key={one.id}
            redelivery={one}
            names={names}
            text={filterText(one.filter, endpointName)}
            onProgress={onProgress}
          />
        ))}
      </ul>
      {next !== null && <Pager hasMore busy={pages.isBusy} onMore={pages.more} />}
    </Section>
  );
}

interface LineProps {
  readonly redelivery: Redelivery;
  readonly names: ReadonlyMap<string, string>;
  /** Its filter in words. */
  readonly text: string;
  readonly onProgress: () => void;
}

function Line({ redelivery, names, text, onProgress }: LineProps) {
  const progress = useProgress(redelivery, onProgress);
  const { state, total, created_at: at, created_by: actor } = progress.value ?? redelivery;
  return (
    <li class="hg-redelivery">
      <div class="hg-redelivery__head">
        <Badge status={STATES[state]} />
        <strong>{counted(total, 'letter')}</strong>
        <span class="hg-redelivery__filter hg-cut" title={text}>
          {text}
        </span>
        <span class="hg-soft hg-small">
          <Time at={at} /> · <Actor actor={actor} names={names} />
        </span>
      </div>
      <div class="hg-redelivery__body">
        <ProgressBar progress={progress.value ?? null} of={redelivery} />
        {state === 'running' && mayManage() && <Stop progress={progress} />}
      </div>
    </li>
  );
}

const SOON_MS = 1_000;
/** Attempts that end soon after one another are shown together. */
const NEWS_MS = 1_500;

/** The progress, read again for as long as it changes. It tells of changes since the list was read. */
function useProgress({ id, ...listed }: Redelivery, onProgress: () => void): Resource<Progress> {
  const project = currentProject();
  const read = useResource<Progress>(`redelivery ${id}`, (signal) =>
    api.getRedelivery({ project, redelivery: id, signal }),
  );
  const { value, state, reload } = read;
  useEffect(() => {
    if (value === undefined || !isUnderWay(value)) return;
    const timer = value.state === 'running' ? setTimeout(reload, SOON_MS) : undefined;
    return () => clearTimeout(timer);
  }, [state, value, reload]);
  const asking = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(asking.current), []);
  useLive(({ kind }) => {
    if (kind === 'events' || value === undefined || !isUnderWay(value)) return;
    asking.current ??= setTimeout(() => {
      asking.current = undefined;
      reload();
    }, NEWS_MS);
  });
  const last = useRef<Pick<Progress, 'state' | 'redelivered'> & { readonly failed?: number }>(listed);
  useEffect(() => {
    if (value === undefined) return;
    const { state, redelivered, failed = value.failed } = last.current;
    last.current = value;
    if (state === value.state && redelivered === value.redelivered && failed === value.failed) return;
    announce(`${count(value.redelivered)} of ${count(value.total)} redelivered`);
    onProgress();
  }, [value]);
  return read;
}

function Stop({ progress }: { readonly progress: Resource<Progress> }) {
  const project = currentProject();
  const [isBusy, setBusy] = useState(false);
  const id = progress.value?.id;
  const stop = async (redelivery: string): Promise<void> => {
    setBusy(true);
    try {
      progress.set(await api.stopRedelivery({ project, redelivery }));
      toast('Stopped. What was sent goes on.');
    } catch (error) {
      toast(sentenceOf(error), { tone: 'bad' });
    }
    setBusy(false);
  };
  return (
    <Button size="s" icon="close" busy={isBusy} onClick={() => id !== undefined && void stop(id)}>
      Stop
    </Button>
  );
}
