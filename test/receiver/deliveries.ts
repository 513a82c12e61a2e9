/** Deliveries for receivers, as a sender makes them. */
import { createSigner } from '../../src/signing/index.js';

export const SECRET = 'whsec_of_receivers';
const sign = createSigner({ secrets: SECRET });

/** The body of a delivery, and its headers. */
export interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How a delivery differs from a plain one. */
export interface Variation {
  readonly id?: string;
  readonly origin?: 'live' | 'replay';
  /** In Unix seconds. @defaultValue now */
  readonly timestamp?: number;
  readonly body?: string;
}

const now = (): number => Math.floor(Date.now() / 1_000);

/** A genuine delivery. */
export function delivery({
  id = 'evt_1',
  origin = 'live',
  timestamp = now(),
  body,
}: Variation = {}): Delivery {
  const text =
    body ?? JSON.stringify({ id, type: 'order.paid', data: { body: { amount: 12, name: 'Zoë' } } });
  return {
    body: text,
    headers: sign.headers(text, { eventId: id, eventType: 'order.paid', origin, timestamp }),
  };
}
