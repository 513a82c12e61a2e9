/**
 * How far a project has come: its channel, its first event, its first rule, and the event to which that was applied.
 */
import { useEffect, useRef } from 'preact/hooks';
import {
  api,
  currentProject,
  type Draft,
  type EventItem,
  type Output,
  type Resource,
  useDraft,
  useLive,
  useResource,
} from '../../data/index.js';
import { useAgain, useReading } from '../../parts/use-again.js';
import { type Guide, guideOf, NO_GUIDE } from './guide.js';

export type Channel = Output<'listChannels'>['items'][number];
export type Rule = Output<'listRules'>['items'][number];

export interface Progress {
  /** One that anybody can send to with a plain request. */
  readonly channel: Channel | null;
  /** The newest event before the rule, or the newest of all. */
  readonly first: EventItem | null;
  readonly rule: Rule | null;
  /** The newest event that the rule matched. */
  readonly applied: EventItem | null;
}

const AGAIN_MS = 2_000;

export interface Started {
  readonly resource: Resource<Progress>;
  readonly guide: Draft<Guide>;
}

export function useProgress(): Started {
  const project = currentProject();
  const guide = useDraft<Guide>(guideOf(project), NO_GUIDE);
  const { rule } = guide.value;
  const reading = useReading();
  const resource = useResource(
    `progress ${project} ${rule ?? ''}`,
    reading.of((signal) => readProgress(project, rule, signal)),
  );
  const { state } = resource;
  const isFresh = state.status === 'ready' && !state.stale;
  const isEmpty = isFresh && state.value.first === null;
  useEffect(() => {
    if (isEmpty && !guide.value.isUnderWay) guide.set({ isUnderWay: true, rule: null });
  }, [isEmpty]);
  const again = reading.unlessBusy(resource.reload);
  useLive(({ kind }) => {
    if (kind === 'events') again();
  });
  const isDone = resource.value !== undefined && resource.value.applied !== null;
  useAgain(again, isDone ? null : AGAIN_MS);
  useOnLeaving(() => {
    if (isDone) guide.clear();
  });
  return { resource, guide };
}

/** A guide that has come to its end does not come again. */
function useOnLeaving(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => () => latest.current(), []);
}

async function readProgress(project: string, made: string | null, signal: AbortSignal): Promise<Progress> {
  const [channels, events, rules] = await Promise.all([
    api.listChannels({ project, query: { limit: 50 }, signal }),
    api.listEvents({ project, query: { limit: 50 }, signal }),
    api.listRules({ project, query: { limit: 50 }, signal }),
  ]);
  const rule = rules.items.find(({ id }) => id === made) ?? rules.items[0] ?? null;
  const isApplied = (event: EventItem): boolean => event.matched.some(({ id }) => id === rule?.id);
  const applied = rule === null ? null : (events.items.find(isApplied) ?? null);
  return {
    channel: channels.items.find(isOpen) ?? null,
    first: events.items.find((event) => !isApplied(event)) ?? events.items[0] ?? null,
    rule,
    applied,
  };
}

const isOpen = ({ source, requires_key: requiresKey, url }: Channel): boolean =>
  source.name === 'none' && !requiresKey && url !== null;
