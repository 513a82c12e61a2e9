/** From a decision to deliveries: who gets the event. See docs/delivery.md. */
import { eventBody } from './body.js';
import { type Delivery, newDelivery } from './delivery.js';
import type { Dispatch } from './store.js';

/** `paused` endpoints get no new events; retries already scheduled still run. */
export type EndpointStatus = 'active' | 'paused';

/** What fan-out reads of an endpoint. */
export interface FanOutEndpoint {
  /** A UUID. */
  readonly id: string;
  readonly status: EndpointStatus;
}

/** What fan-out reads of a decision of the rules. */
export interface Routing {
  readonly outcome: 'deliver' | 'drop';
  /** The projected event. */
  readonly event: { readonly id: string; readonly type: string };
  /** `null`: every active endpoint. */
  readonly endpointIds: readonly string[] | null;
}

/** When the deliveries are made, and whether they repeat earlier ones. */
export interface FanOutOptions {
  /** The first attempt is due from here; Unix ms. */
  readonly at: number;
  /** Names the operator's action that sends the event again; left out, the deliveries are live. */
  readonly replay?: string;
}

/**
 * The deliveries that a decision makes: one for each active endpoint, or for each active one that the rules name.
 * A drop makes none; an id that names no endpoint, or a paused one, gets nothing; no endpoint gets two.
 *
 * @param decision - What the rules decided.
 * @param endpoints - All endpoints of the project; their order is the deliveries' order.
 * @param options - When, and whether it is a replay.
 */
export function fanOut(
  decision: Routing,
  endpoints: Iterable<FanOutEndpoint>,
  options: FanOutOptions,
): readonly Delivery[] {
  if (decision.outcome === 'drop') return [];
  const routed = decision.endpointIds === null ? null : new Set(decision.endpointIds);
  const chosen = new Set<string>();
  for (const { id, status } of endpoints) {
    if (status === 'active' && (routed === null || routed.has(id))) chosen.add(id);
  }
  return Array.from(chosen, (id) => newDelivery(decision.event, id, options));
}

/**
 * The deliveries of a decision with the body they share: what {@link DeliveryStore.enqueue} takes. An event that
 * cannot be sent, since its id or type cannot be a header, is not refused here: its deliveries fail by their policies
 * and end as dead letters, where somebody sees them.
 *
 * @param decision - What the rules decided.
 * @param endpoints - All endpoints of the project.
 * @param options - When, and whether it is a replay.
 */
export function createDispatch(
  decision: Routing,
  endpoints: Iterable<FanOutEndpoint>,
  options: FanOutOptions,
): Dispatch {
  const deliveries = fanOut(decision, endpoints, options);
  return { body: deliveries.length === 0 ? new Uint8Array() : eventBody(decision.event), deliveries };
}
