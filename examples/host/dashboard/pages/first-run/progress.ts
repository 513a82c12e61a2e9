/** How far a project has come: its channel, its newest event, its endpoint, and what was delivered there. */
import { useEffect } from 'preact/hooks';
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
import { receiverAt } from '../../parts/new-endpoint.js';
import { useAgain, useReading } from '../../parts/use-again.js';
import { type Guide, guideOf, NO_GUIDE } from './guide.js';

export type Channel = Output<'listChannels'>['items'][number];
export type Endpoint = Output<'listEndpoints'>['items'][number];
export type Delivery = Output<'listDeliveries'>['items'][number];

/** A request at the built-in receiver, and whether its signature was verified. */
export type Received = Output<'listReceivedRequests'>['items'][number];

export interface Progress {
  readonly channel: Channel | null;
  readonly event: EventItem | null;
  readonly endpoint: Endpoint | null;
  /** The newest delivery to the endpoint. */
  readonly delivery: Delivery | null;
  /** The request of this delivery, if the endpoint is a built-in receiver. */
  readonly received: Received | null;
}

const AGAIN_MS = 2_000;

export interface Started {
  readonly resource: Resource<Progress>;
  readonly guide: Draft<Guide>;
}

export const isArrived = ({ delivery }: Progress): boolean => delivery?.state === 'delivered';

export function useProgress(): Started {
  const project = currentProject();
  const guide = useDraft<Guide>(guideOf(project), NO_GUIDE);
  const reading = useReading();
  const resource = useResource(
    `progress ${project}`,
    reading.of((signal) => readProgress(project, signal)),
  );
  const { state, value } = resource;
  const isEmpty = state.status === 'ready' && !state.stale && state.value.event === null;
  const isDone = value !== undefined && isArrived(value);
  useEffect(() => {
    if (isEmpty && !guide.value.isUnderWay) guide.set({ isUnderWay: true });
  }, [isEmpty]);
  // A guide that has come to its end does not come again.
  useEffect(
    () => () => {
      if (isDone) guide.clear();
    },
    [isDone],
  );
  const again = reading.unlessBusy(resource.reload);
  useLive(({ kind }) => {
    if (kind === 'events') again();
  });
  useAgain(again, isDone ? null : AGAIN_MS);
  return { resource, guide };
}

async function readProgress(project: string, signal: AbortSignal): Promise<Progress> {
  const query = { limit: 50 };
  const [channels, events, endpoints] = await Promise.all([
    api.listChannels({ project, query, signal }),
    api.listEvents({ project, query: { limit: 1 }, signal }),
    api.listEndpoints({ project, query, signal }),
  ]);
  const channel = channels.items.find(({ type }) => type === 'webhook') ?? null;
  const endpoint = endpoints.items.find(({ purpose }) => purpose === 'events') ?? null;
  return {
    ...{ channel, endpoint, event: events.items[0] ?? null },
    ...(endpoint === null
      ? { delivery: null, received: null }
      : await readArrival(project, endpoint, signal)),
  };
}

async function readArrival(
  project: string,
  { id, url }: Endpoint,
  signal: AbortSignal,
): Promise<Pick<Progress, 'delivery' | 'received'>> {
  const [{ items }, receiver] = await Promise.all([
    api.listDeliveries({ project, query: { endpoint: id, limit: 1 }, signal }),
    receiverAt(url, signal),
  ]);
  const delivery = items[0] ?? null;
  if (delivery === null || receiver === null) return { delivery, received: null };
  const requests = await api.listReceivedRequests({
    ...{ project, receiver: receiver.id, signal },
    query: { limit: 50 },
  });
  return {
    delivery,
    received: requests.items.find(({ event_id: event }) => event === delivery.event_id) ?? null,
  };
}
