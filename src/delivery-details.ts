/** The contents of a delivery's headers: what the scheduler hands to a signer, and what a receiver reads back. */

/** `live` for a fresh event; `replay` when an operator has sent it again. Sent as `Svc-Origin`. */
export type Origin = 'live' | 'replay';

/** The contents of a delivery's headers, besides the signature. */
export interface DeliveryDetails {
  /** Event id, such as `evt_1`. */
  readonly eventId: string;
  /** Event type, such as `webhook.received`. */
  readonly eventType: string;
  /** `live`, or `replay` when an operator has sent the event again. */
  readonly origin: Origin;
  /** Time of the attempt, not of the event, in Unix seconds. */
  readonly timestamp: number;
}
