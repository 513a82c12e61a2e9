/** The delivery: one event to one endpoint. Its record has the snake_case names of its JSON. */
import type { Origin } from '../delivery-details.js';
import {
  assertMembers,
  type Check,
  type Checks,
  either,
  instant,
  invalid,
  optional,
  text,
} from './arguments.js';
import { type ColumnValues, columnValues } from './columns.js';
import type { AttemptOutcome } from './transport.js';

/**
 * The state of a delivery.
 *
 * - `waiting`: waits behind another delivery with the same ordering key.
 * - `pending`: waits for `due_at`.
 * - `leased`: a scheduler attempts it now. From `due_at` on, the end of the lease, another one may.
 * - `delivered`: an attempt was answered with 2xx. Final.
 * - `failed`: the policy is exhausted or the endpoint is gone; it is a dead letter. Final.
 */
export type DeliveryState = 'waiting' | 'pending' | 'leased' | 'delivered' | 'failed';

/** One attempt, after it ended. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** Unix ms. */
  readonly started_at: number;
  /** Unix ms. */
  readonly ended_at: number;
  readonly outcome: AttemptOutcome;
  /** The part of the URL that the store was told to keep; left out if nothing was kept. */
  readonly url?: string;
  /** The text that the store was told to keep of the exchange. Only `get` of a store reads it. */
  readonly exchange?: string;
}

/** The record of a delivery, one row in a store. All instants are Unix time in milliseconds. */
export interface Delivery {
  /** See {@link deliveryId}. */
  readonly id: string;
  /** Prefixed `evt_`. */
  readonly event_id: string;
  /** Such as `webhook.received`. */
  readonly event_type: string;
  /** A UUID. */
  readonly endpoint_id: string;
  readonly origin: Origin;
  /** The delivery that this one repeats; `null` when it repeats none. */
  readonly replay_of: string | null;
  readonly state: DeliveryState;
  /** Attempts that ended and were recorded; at most 100. */
  readonly attempts: number;
  /**
   * When it may be claimed: when its next attempt is due, or, while `leased`, when the lease ends. While `waiting`, it
   * may not be claimed before this instant either. `null` once it is finished.
   */
  readonly due_at: number | null;
  /** Token of the lease while `leased`, else `null`. */
  readonly lease: string | null;
  readonly last_attempt: Attempt | null;
  readonly created_at: number;
  /** When it became `delivered` or `failed`; `null` before. */
  readonly finished_at: number | null;
  /**
   * Values of the columns that the store's user has defined. Records of such a store have all of them; a new delivery
   * may leave out those that are `null`.
   */
  readonly columns?: ColumnValues;
  /**
   * Live deliveries to one endpoint with the same key are sent one at a time, in the order in which they were enqueued.
   * Left out or `null`: not ordered. 1 to 256 characters.
   */
  readonly ordering_key?: string | null;
  /**
   * `true` for a dead letter behind which the other deliveries of its key wait, and for its redelivery; otherwise left
   * out.
   */
  readonly holds_key?: boolean;
}

/** Longest `ordering_key`, in characters of JavaScript. */
const MAX_KEY_LENGTH = 256;

/** Accepts ordering keys. */
export const orderingKey: Check = (name, value) => {
  text(name, value);
  const { length } = value as string;
  if (length >= 1 && length <= MAX_KEY_LENGTH) return;
  throw invalid(`${name} has ${length} characters: give 1 to ${MAX_KEY_LENGTH}, or null for no order`);
};

/** A delivery with a key. */
export type Ordered = Delivery & { readonly ordering_key: string };

/** Whether a new delivery may have to wait behind others: replays do not. */
export const isOrdered = (delivery: Delivery): delivery is Ordered =>
  typeof delivery.ordering_key === 'string' && delivery.origin === 'live';

/**
 * The id of a delivery. A live delivery's id follows from its event and endpoint, so that enqueueing an event twice
 * makes one delivery. A replay's id follows from the operator's action too, so that a double click makes one replay.
 *
 * @param eventId - Any text.
 * @param endpointId - Any text.
 * @param replay - Names the operator's action; left out for a live delivery.
 * @returns The parts joined by `:`, with `~` and `:` inside them written `~0` and `~1`: different parts give different
 * ids.
 */
export function deliveryId(eventId: string, endpointId: string, replay?: string): string {
  const parts = replay === undefined ? [eventId, endpointId] : [eventId, endpointId, replay];
  return parts.map(escapeIdPart).join(':');
}

/** How a part of an id is written, replacement after replacement. SQL stores do the same in their statements. */
export const ID_ESCAPES: readonly (readonly [from: string, to: string])[] = [
  ['~', '~0'],
  [':', '~1'],
];

/** A part of an id without a `:` of its own. */
export const escapeIdPart = (part: string): string =>
  ID_ESCAPES.reduce((text, [from, to]) => text.replaceAll(from, to), part);

/** When a replay is made, and by which action. */
export interface ReplayOptions {
  /** The current time, from which the replay is due; Unix ms. */
  readonly at: number;
  /** Names the operator's action, such as the id of its request. The same action makes one replay of a delivery. */
  readonly replay: string;
  /** Values of the replay's columns that differ from those of the delivery. */
  readonly columns?: ColumnValues;
}

/**
 * A new delivery that repeats a finished one, with origin `replay`. It keeps the ordering key, but waits for no other.
 *
 * @param delivery - The delivery to repeat; it is not changed.
 * @param options - When, and by which action.
 */
export function redelivery(delivery: Delivery, options: ReplayOptions): Delivery {
  const { event_id, event_type, endpoint_id, ordering_key: key = null } = delivery;
  const columns = delivery.columns && { ...delivery.columns, ...options.columns };
  const made = {
    ...options,
    ...(columns !== undefined && { columns }),
    ...(key !== null && { orderingKey: key }),
  };
  return newDelivery({ id: event_id, type: event_type }, endpoint_id, made, delivery.id);
}

/** With `replay` the delivery is a replay, without it live. */
type DeliveryOptions = Omit<ReplayOptions, 'replay'> &
  Partial<ReplayOptions> & { readonly orderingKey?: string | null };

const OPTIONS: Checks<DeliveryOptions> = {
  at: instant,
  replay: optional(text),
  columns: optional(columnValues),
  orderingKey: either(null, optional(orderingKey)),
};

/**
 * A delivery before its first attempt, due at once.
 *
 * @param event - The event to deliver.
 * @param endpointId - The endpoint to deliver it to.
 * @param options - When; `replay` makes it a replay, `columns` are the values of the store's columns, and `orderingKey`
 * is the key that orders it.
 * @param replayOf - Id of the delivery that it repeats.
 * @throws {@link OptionError} `invalid_option` when `at` is not a whole number, when an id, a type or `replay` is not a
 * string, or for an unknown option.
 */
export function newDelivery(
  event: { readonly id: string; readonly type: string },
  endpointId: string,
  options: {
    readonly at: number;
    readonly replay?: string;
    readonly columns?: ColumnValues;
    readonly orderingKey?: string | null;
  },
  replayOf: string | null = null,
): Delivery {
  assertMembers<DeliveryOptions>('newDelivery', options, OPTIONS);
  text('the id of the endpoint', endpointId);
  assertEvent(event);
  return makeDelivery(event, endpointId, options, replayOf);
}

/** The members of an event that its deliveries have. */
interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
}

/** @throws {@link OptionError} `invalid_option` */
export function assertEvent({ id, type }: DeliveredEvent): void {
  text('the id of the event', id);
  text('the type of the event', type);
}

/** Makes the same of arguments that were checked. */
export function makeDelivery(
  event: DeliveredEvent,
  endpointId: string,
  options: DeliveryOptions,
  replayOf: string | null = null,
): Delivery {
  const { orderingKey: key = null } = options;
  return {
    id: deliveryId(event.id, endpointId, options.replay),
    event_id: event.id,
    event_type: event.type,
    endpoint_id: endpointId,
    origin: options.replay === undefined ? 'live' : 'replay',
    replay_of: replayOf,
    state: 'pending',
    attempts: 0,
    due_at: options.at,
    lease: null,
    last_attempt: null,
    created_at: options.at,
    finished_at: null,
    ...(options.columns !== undefined && { columns: options.columns }),
    ...(key !== null && { ordering_key: key }),
  };
}
