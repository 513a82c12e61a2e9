/** The delivery: one event on its way to one endpoint. Its record keeps the wire's snake_case. */
import { assertMembers, type Checks, instant, optional, text } from './arguments.js';
import type { AttemptOutcome } from './transport.js';

/** `live` for fresh events; `replay` when an operator sends one again. Travels as `Svc-Origin`. */
export type Origin = 'live' | 'replay';

/**
 * Where a delivery stands.
 *
 * - `pending`: waits for `due_at`.
 * - `leased`: somebody attempts it now; from `due_at` on, the end of the lease, anybody may.
 * - `delivered`: an attempt was answered with 2xx. Final.
 * - `failed`: the policy is exhausted, or the endpoint is gone: a dead letter. Final.
 */
export type DeliveryState = 'pending' | 'leased' | 'delivered' | 'failed';

/** One attempt, after it ended. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** Unix ms. */
  readonly started_at: number;
  /** Unix ms. */
  readonly ended_at: number;
  readonly outcome: AttemptOutcome;
}

/** The record of a delivery: what a store keeps, one row each. All instants are Unix time in milliseconds. */
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
   * When anybody may claim it: when an attempt is due, or the lease's end while `leased`; `null` once it is
   * finished.
   */
  readonly due_at: number | null;
  /** Token of the lease while `leased`, else `null`. */
  readonly lease: string | null;
  readonly last_attempt: Attempt | null;
  readonly created_at: number;
  /** When it became `delivered` or `failed`; `null` before. */
  readonly finished_at: number | null;
}

/**
 * The id of a delivery. A live one follows from its event and endpoint alone, so that enqueueing an event twice makes
 * no second delivery; a replay's follows from the operator's action as well, so that a double click makes one.
 *
 * @param eventId - Any text.
 * @param endpointId - Any text.
 * @param replay - Names the operator's action; left out for a live delivery.
 * @returns The parts joined by `:`, with `~` and `:` inside them written `~0` and `~1`: no two triples share one.
 */
export function deliveryId(eventId: string, endpointId: string, replay?: string): string {
  const parts = replay === undefined ? [eventId, endpointId] : [eventId, endpointId, replay];
  return parts.map((part) => part.replaceAll('~', '~0').replaceAll(':', '~1')).join(':');
}

/** When a replay is made, and by what. */
export interface ReplayOptions {
  /** Due at once from here; Unix ms. */
  readonly at: number;
  /** Names the operator's action, such as its request's id. Using it again repeats nothing. */
  readonly replay: string;
}

/**
 * A new delivery that repeats a finished one, with origin `replay`.
 *
 * @param delivery - The one to repeat; it stays as it is.
 * @param options - When, and by which action.
 */
export function redelivery(delivery: Delivery, options: ReplayOptions): Delivery {
  const { event_id, event_type, endpoint_id } = delivery;
  return newDelivery({ id: event_id, type: event_type }, endpoint_id, options, delivery.id);
}

/** A replay where it names one. */
type DeliveryOptions = Omit<ReplayOptions, 'replay'> & Partial<ReplayOptions>;

const OPTIONS: Checks<DeliveryOptions> = { at: instant, replay: optional(text) };

/**
 * A delivery before its first attempt, due at once.
 *
 * @param event - Whose delivery.
 * @param endpointId - To whom.
 * @param options - When; `replay` makes it a replay.
 * @param replayOf - Id of the delivery that it repeats.
 * @throws {@link OptionError} `invalid_option` where `at` is no whole number, an id, a type or `replay` no text, or an option unknown.
 */
export function newDelivery(
  event: { readonly id: string; readonly type: string },
  endpointId: string,
  options: { readonly at: number; readonly replay?: string },
  replayOf: string | null = null,
): Delivery {
  assertMembers<DeliveryOptions>('newDelivery', options, OPTIONS);
  text('the id of the event', event.id);
  text('the type of the event', event.type);
  text('the id of the endpoint', endpointId);
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
  };
}
