/** Bulk actions, running and past ones: how far each is, and a way to stop it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  currentProject,
  mayManage,
  type Output,
  type Resource,
  sentenceOf,
  useLive,
  useResource,
} from '../../data/index.js';
import { announce, Badge, Button, Pager, Section, Time, toast } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import type { Status } from '../../words/statuses.js';
import { Actor, useKeyNames } from '../Actor.js';
import type { Pages } from '../use-pages.js';
import './BulkList.css';
import { type Part, ProgressBar } from './ProgressBar.js';

/** The members that all bulk actions have. */
export interface Action {
  readonly id: string;
  readonly state: Output<'getRedelivery'>['state'];
  /** Letters or events. */
  readonly total: number;
  readonly created_at: string;
  readonly created_by: string;
}

/** The same with its deliveries. */
export interface Counted {
  readonly pending: number;
  readonly failed: number;
}

/** Bulk actions of one kind, as they are read, stopped and shown. */
export interface Kind<One extends Action, Progress extends One & Counted> {
  readonly title: string;
  /** Stands above the list; the title unless given. */
  readonly heading?: string;
  /** The singular of what is sent, and the verb of what was. */
  readonly noun: string;
  readonly verb: string;
  readonly states: Readonly<Record<Action['state'], Status>>;
  readonly read: (project: string, id: string, signal: AbortSignal) => Promise<Progress>;
  readonly stop: (project: string, id: string) => Promise<Progress>;
  /** Letters or events that were sent. */
  readonly done: (one: One) => number;
  readonly partsOf: (progress: Progress) => readonly Part[];
  /** Its filter and its other options, in words. */
  readonly text: (one: One) => string;
}

export interface BulkListProps<One extends Action, Progress extends One & Counted> {
  readonly kind: Kind<One, Progress>;
  readonly pages: Pages<One>;
  /** Called when something was sent, or has failed, since the list was read. */
  readonly onProgress?: () => void;
}

/** Shows nothing without actions, so that the list below comes first. */
export function BulkList<One extends Action, Progress extends One & Counted>(
  props: BulkListProps<One, Progress>,
) {
  const { kind, pages, onProgress = () => undefined } = props;
  const names = useKeyNames();
  const { items = [], next = null } = pages.value ?? {};
  if (items.length === 0) return null;
  return (
    <Section title={kind.heading ?? kind.title}>
      <ul class="hg-bulk" aria-label={kind.title}>
        {items.map((one) => (
          <Line key={one.id} kind={kind} one={one} names={names} onProgress={onProgress} />
        ))}
      </ul>
      {next !== null && <Pager hasMore busy={pages.isBusy} onMore={pages.more} />}
    </Section>
  );
}

interface LineProps<One extends Action, Progress extends One & Counted> {
  readonly kind: Kind<One, Progress>;
  readonly one: One;
  readonly names: ReadonlyMap<string, string>;
  readonly onProgress: () => void;
}

function Line<One extends Action, Progress extends One & Counted>(props: LineProps<One, Progress>) {
  const { kind, one, names, onProgress } = props;
  const progress = useProgress(kind, one, onProgress);
  const shown: One = progress.value ?? one;
  const text = kind.text(one);
  return (
    <li class="hg-bulk__one">
      <div class="hg-bulk__head">
        <Badge status={kind.states[shown.state]} />
        <strong>{counted(shown.total, kind.noun)}</strong>
        <span class="hg-bulk__filter hg-cut" title={text}>
          {text}
        </span>
        <span class="hg-soft hg-small">
          <Time at={shown.created_at} /> · <Actor actor={shown.created_by} names={names} />
        </span>
      </div>
      <div class="hg-bulk__body">
        <ProgressBar
          label={kind.verb}
          parts={progress.value === undefined ? [] : kind.partsOf(progress.value)}
          done={kind.done(shown)}
          total={shown.total}
        />
        {shown.state === 'running' && mayManage() && <Stop kind={kind} progress={progress} />}
      </div>
    </li>
  );
}

const SOON_MS = 1_000;
/** Attempts that end soon after one another are shown together. */
const NEWS_MS = 1_500;

/** Whether its numbers still change. */
const isUnderWay = ({ state, pending }: Action & Counted): boolean => state === 'running' || pending > 0;

/** The progress, read again as long as it changes. It reports changes since the list was read. */
function useProgress<One extends Action, Progress extends One & Counted>(
  kind: Kind<One, Progress>,
  one: One,
  onProgress: () => void,
): Resource<Progress> {
  const project = currentProject();
  const read = useResource<Progress>(`${kind.title} ${one.id}`, (signal) =>
    kind.read(project, one.id, signal),
  );
  const { value, state, reload } = read;
  useEffect(() => {
    if (value === undefined || !isUnderWay(value)) return;
    const timer = value.state === 'running' ? setTimeout(reload, SOON_MS) : undefined;
    return () => clearTimeout(timer);
  }, [state, value, reload]);
  const asking = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(asking.current), []);
  useLive(({ kind: news }) => {
    if (news === 'events' || value === undefined || !isUnderWay(value)) return;
    asking.current ??= setTimeout(() => {
      asking.current = undefined;
      reload();
    }, NEWS_MS);
  });
  const last = useRef<{ state: string; done: number; failed?: number }>({
    ...{ state: one.state, done: kind.done(one) },
  });
  useEffect(() => {
    if (value === undefined) return;
    const { state: before, done, failed = value.failed } = last.current;
    last.current = { state: value.state, done: kind.done(value), failed: value.failed };
    if (before === value.state && done === kind.done(value) && failed === value.failed) return;
    announce(`${count(kind.done(value))} of ${count(value.total)} ${kind.verb.toLowerCase()}`);
    onProgress();
  }, [value]);
  return read;
}

interface StopProps<One extends Action, Progress extends One & Counted> {
  readonly kind: Kind<One, Progress>;
  readonly progress: Resource<Progress>;
}

function Stop<One extends Action, Progress extends One & Counted>({
  kind,
  progress,
}: StopProps<One, Progress>) {
  const project = currentProject();
  const [isBusy, setBusy] = useState(false);
  const id = progress.value?.id;
  const stop = async (action: string): Promise<void> => {
    setBusy(true);
    try {
      progress.set(await kind.stop(project, action));
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
