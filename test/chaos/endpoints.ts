/** The customers: what each of them does with a delivery, and who gets which event. */
import { createDispatch, type DeliveryTarget, type Dispatch, type FanOutEndpoint } from 'headgate/delivery';

/** `prompt` answers at once, `failing` with 503 first, `slow` after a while, `hanging` sometimes not at all. */
export type Behavior = 'prompt' | 'failing' | 'slow' | 'hanging';

/** An endpoint of a customer. */
export interface Endpoint extends FanOutEndpoint {
  readonly behavior: Behavior;
}

/** One letter an endpoint, in an order that mixes them. */
const TOWN = 'pppfpppspppfppphpppfpppspppfpppspppfppph';
const behaviors: Readonly<Record<string, Behavior>> = { p: 'prompt', f: 'failing', s: 'slow', h: 'hanging' };

export const endpoints: readonly Endpoint[] = Array.from(TOWN, (letter, n) => ({
  id: `5ca1ab1e-0000-4000-8000-${String(n).padStart(12, '0')}`,
  status: 'active',
  behavior: behaviors[letter] ?? 'prompt',
}));

const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/** Endpoints of each event. */
export const FAN_OUT = 4;

/** The endpoints that get the event of an order. */
export const addressees = (order: number): readonly Endpoint[] =>
  Array.from({ length: FAN_OUT }, (_, i) => endpoints[(order * FAN_OUT + i) % endpoints.length] as Endpoint);

/**
 * The deliveries of an order, with a body of about a kilobyte.
 *
 * @param keys - How many ordering keys there are; 0 for none.
 */
export function dispatchOf(order: number, eventId: string, keys: number): Dispatch {
  const event = { id: eventId, type: 'order.placed', data: { order, note: 'x'.repeat(900) } };
  const decision = { outcome: 'deliver', event, endpointIds: null } as const;
  const orderingKey = keys === 0 ? null : `key ${order % keys}`;
  return createDispatch(decision, addressees(order), { at: Date.now(), orderingKey });
}

/** A second is the least base there is. */
const policy = { retry_max_attempts: 12, retry_backoff_base_seconds: 1 };

/** @param receiver - Origin of the receiver. */
export const targetOf =
  (receiver: string) =>
  (endpointId: string): DeliveryTarget | undefined => {
    const endpoint = byId.get(endpointId);
    return endpoint && { url: `${receiver}/${endpoint.behavior}/${endpointId}`, ...policy };
  };
