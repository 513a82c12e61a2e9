/** One event with its deliveries and their attempts, read again for as long as something is still to come. */
import {
  api,
  currentProject,
  type Output,
  type Resource,
  textOf,
  useLive,
  useResource,
} from '../../data/index.js';
import { firstPages } from '../../parts/first-pages.js';
import type { Attempt } from '../../parts/AttemptList.js';
import { useAgain, useReading } from '../../parts/use-again.js';
import { exactDigits } from '../../words/exact-digits.js';

export type WholeEvent = Output<'getEvent'>;
/** The numbers of an event that a double does not hold, as they were sent, by pointer from the event. */
export function digitsOf(event: WholeEvent): ReadonlyMap<string, string> {
  const text = textOf(event);
  return text === undefined ? NONE : exactDigits(text);
}
const NONE: ReadonlyMap<string, string> = new Map();

export type Delivery = Output<'listDeliveries'>['items'][number];

/** A delivery with its attempts, oldest first. */
export interface Sent {
  readonly delivery: Delivery;
  readonly attempts: readonly Attempt[];
}

/** The deliveries of an event, newest first. */
export interface Deliveries {
  readonly items: readonly Sent[];
  /** True if there are more than are shown. */
  readonly isCut: boolean;
}

export interface Traces {
  readonly event: Resource<WholeEvent>;
  readonly deliveries: Resource<Deliveries>;
  /** Reads all of it again. */
  readonly reload: () => void;
}

export function useTraces(id: string): Traces {
  const project = currentProject();
  const reading = useReading();
  const event = useResource(
    `event ${project} ${id}`,
    reading.of((signal) => api.getEvent({ project, event: id, signal })),
  );
  const deliveries = useResource(
    `deliveries of ${project} ${id}`,
    reading.of((signal) => readDeliveries(project, id, signal)),
  );
  const reload = (): void => {
    event.reload();
    deliveries.reload();
  };
  useLive((news) => {
    if (news.kind === 'gap') reload();
    if (news.kind === 'events' && news.items.some((item) => item.id === id)) reload();
    if (news.kind === 'changed' && (news.events?.includes(id) ?? true)) reload();
  });
  useAgain(reading.unlessBusy(reload), againAfter(event.value, deliveries.value));
  return { event, deliveries, reload };
}

async function readDeliveries(project: string, event: string, signal: AbortSignal): Promise<Deliveries> {
  const limit = 200;
  const [deliveries, attempts] = await Promise.all([
    firstPages((cursor) => api.listDeliveries({ project, query: { event, limit, cursor }, signal })),
    firstPages((cursor) => api.listEventAttempts({ project, event, query: { limit, cursor }, signal })),
  ]);
  const byDelivery = Map.groupBy(attempts.items, (attempt) => attempt.delivery_id);
  return {
    items: deliveries.items.map((delivery) => ({ delivery, attempts: byDelivery.get(delivery.id) ?? [] })),
    isCut: deliveries.isCut || attempts.isCut,
  };
}

/** While no news comes, as on a network that breaks live connections. */
const LATER_MS = 15_000;

/** Milliseconds until something may have changed of which no news has come; null once all is over. */
export function againAfter(event: WholeEvent | undefined, deliveries: Deliveries | undefined): number | null {
  if (event === undefined || deliveries === undefined) return null;
  const isPending = deliveries.items.some(({ delivery }) => delivery.state === 'pending');
  return isPending || event.status === 'received' ? LATER_MS : null;
}

/** The action that made a delivery: a replay, or somebody who sent it again. Null for what the decision made. */
export const actionOf = ({ id }: Delivery): string | null => id.split(':')[2] ?? null;
