/** The shapes that users of the client see. */
import type { Origin } from '../delivery-details.js';
import type { ClientError } from './client-error.js';

/** An event as the host sends it: the Event JSON that endpoints get. Fields beyond these pass through. */
export interface ReceivedEvent {
  /** Such as `evt_01J9Z2…`. */
  readonly id: string;
  /** Such as `webhook.received`. */
  readonly type: string;
  /** Says what happened, in the sender's words, such as `invoice.paid`; the type where the sender gave no such name. */
  readonly topic?: string;
  /** The block that rules transform. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** An event, and how it comes to the handler. */
export interface ClientEvent<E = ReceivedEvent> {
  readonly event: E;
  /** `live`, or `replay` when an operator has sent the event again. */
  readonly origin: Origin;
  /** Position in the project's log, from 1. A replay has a position of its own. */
  readonly position: number;
  /** How often this process has tried to handle it, this time included; from 1. */
  readonly attempt: number;
}

/** Positions of the log that were passed without being handled by this client. */
export interface ClientGap {
  /** The first one, included. */
  readonly from: number;
  /** The last one, included. */
  readonly to: number;
  /**
   * - `expired`: the host no longer stores them.
   * - `away`: they came while a client without a name was not connected; or the host has forgotten the name.
   * - `elsewhere`: another connection with this name has acknowledged them.
   */
  readonly reason: 'expired' | 'away' | 'elsewhere';
}

/** A change of the client's state. `delayMs` is the time until it connects again. */
export type StateChange =
  | { readonly state: 'connecting' }
  | {
      readonly state: 'open';
      /** The cursor: the host takes everything up to this position as handled. */
      readonly position: number;
      /** True if the host knew the name, so that the client goes on from its cursor. */
      readonly resumed: boolean;
    }
  | { readonly state: 'waiting'; readonly delayMs: number; readonly reason: ClientError }
  | { readonly state: 'closing' }
  | { readonly state: 'closed'; readonly reason: ClientError | null };

/** The state of a client. */
export type ClientState = StateChange['state'];

/** More of an error. Whether it has ended the client, its state tells. */
export interface ErrorDetails {
  /** Milliseconds until the client connects again, or the handler gets the event again; missing where neither is so. */
  readonly retryMs?: number;
  /** The event whose handler failed. */
  readonly received?: ClientEvent;
}

/** The functions that a client calls, by what they report. */
export interface ClientListeners<E = ReceivedEvent> {
  /**
   * The handler: gets one event at a time, in order. The event is acknowledged once what it returns has settled. If
   * that rejects, the same event comes again after a delay, and nothing behind it comes before.
   */
  readonly event: (received: ClientEvent<E>) => unknown;
  /** Called with positions that the handler will not get, in the order of the log. */
  readonly gap: (gap: ClientGap) => void;
  /** Called on each change of state. */
  readonly state: (change: StateChange) => void;
  /**
   * Called with every error but those of replies, whose promises reject. Without it, errors are warnings on the
   * console.
   */
  readonly error: (error: ClientError, details: ErrorDetails) => void;
}

/** Calls the listeners of a type. */
export type Tell = <T extends 'gap' | 'state' | 'error'>(
  type: T,
  ...about: Parameters<ClientListeners[T]>
) => void;
