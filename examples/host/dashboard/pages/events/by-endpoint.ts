/** The deliveries of an event by endpoint: the newest one says how it stands. Pure. */
import { listed } from '../../words/numbers.js';
import type { Sent, WholeEvent } from './event-traces.js';

/** The deliveries of an event to one endpoint. */
export interface ToEndpoint {
  readonly latest: Sent;
  /** Deliveries before a replay or a redelivery, newest first. */
  readonly earlier: readonly Sent[];
}

/** @param items - Newest first. */
export function byEndpoint(items: readonly Sent[]): readonly ToEndpoint[] {
  const groups = Map.groupBy(items, ({ delivery }) => delivery.endpoint_id);
  return [...groups.values()].flatMap(([latest, ...earlier]) =>
    latest === undefined ? [] : [{ latest, earlier }],
  );
}

/** Endpoints whose newest delivery has failed. */
export const failingOf = (newestFirst: WholeEvent['deliveries']): number =>
  [...Map.groupBy(newestFirst, ({ endpoint_id: id }) => id).values()].filter(
    ([latest]) => latest?.state === 'failed',
  ).length;

/** Such as `1 delivered and 2 failed`. */
export function statesOf(items: readonly Sent[]): string {
  const count = (state: string): number => items.filter(({ delivery }) => delivery.state === state).length;
  const states = (['delivered', 'pending', 'failed'] as const).filter((state) => count(state) > 0);
  return listed(states.map((state) => `${count(state)} ${state}`));
}
