/** The members of an event that its arrival gives it, however it comes in. */
import { createEventIds, timeOfEventId } from '../ids.js';
import type { PersistedEvent } from '../stored/event-json.js';

/** The channel that an event comes in by. */
export interface ArrivalChannel {
  readonly id: string;
  readonly project: string;
  readonly name: string;
}

/** These members. */
export type Arrival = Pick<
  PersistedEvent,
  'id' | 'project' | 'channelId' | 'channelName' | 'receivedAt' | 'traceparent'
>;

/**
 * Gives an event these members, with an id that is greater than all before it.
 *
 * @param at - Unix ms.
 * @param traceparent - The traceparent of the request.
 */
export type ArrivalBy = (channel: ArrivalChannel, at: number, traceparent: string | null) => Arrival;

export function createArrivals(): ArrivalBy {
  const newEventId = createEventIds();
  return ({ id: channelId, project, name: channelName }, at, traceparent) => {
    const id = newEventId(at);
    // If the clock was set back, the orders of ids and of times still agree.
    return { id, project, channelId, channelName, receivedAt: timeOfEventId(id), traceparent };
  };
}
