/** From a decision to deliveries: who gets the event. See docs/delivery.md. */
import { assertMembers, type Checks, instant, invalid, kindOf, optional, text } from './arguments.js';
import { eventBody } from './body.js';
import { type Delivery, newDelivery } from './delivery.js';
import type { Dispatch } from './store.js';

/** `paused` endpoints get no new events; retries already scheduled still run. */
export type EndpointStatus = 'active' | 'paused';

/** What fan-out reads of an endpoint. */
export interface FanOutEndpoint {
  /** A UUID, in any case. */
  readonly id: string;
  readonly status: EndpointStatus;
}

/** What fan-out reads of a decision of the rules. */
export interface FanOutDecision {
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

const OPTIONS: Checks<FanOutOptions> = { at: instant, replay: optional(text) };

/**
 * The deliveries that a decision makes: one for each active endpoint, or for each active one that the rules name.
 * A drop makes none; an id that names no endpoint, or a paused one, gets nothing; no endpoint gets two. UUIDs are compared
 * without regard to case; a delivery has the endpoint's id as `endpoints` spells it.
 *
 * @param decision - What the rules decided.
 * @param endpoints - All endpoints of the project; their order is the deliveries' order.
 * @param options - When, and whether it is a replay.
 * @throws {@link OptionError} `invalid_option` without a number in `at`, for an endpoint whose status is neither of the two,
 * and for what is no decision.
 */
export function fanOut(
  decision: FanOutDecision,
  endpoints: Iterable<FanOutEndpoint>,
  options: FanOutOptions,
): readonly Delivery[] {
  return deliveriesOf('fanOut', decision, endpoints, options);
}

/** @param taker - Whom messages name. */
function deliveriesOf(
  taker: string,
  decision: FanOutDecision,
  endpoints: Iterable<FanOutEndpoint>,
  options: FanOutOptions,
): readonly Delivery[] {
  assertMembers<FanOutOptions>(taker, options, OPTIONS);
  assertDecision(decision);
  assertList('endpoints', endpoints);
  if (decision.outcome === 'drop') return [];
  const routed = decision.endpointIds === null ? null : new Set(decision.endpointIds.map(canonicalId));
  const chosen = new Map<string, string>();
  for (const endpoint of endpoints) {
    if (!isActive(endpoint)) continue;
    const canonical = canonicalId(endpoint.id);
    if ((routed === null || routed.has(canonical)) && !chosen.has(canonical)) {
      chosen.set(canonical, endpoint.id);
    }
  }
  return Array.from(chosen.values(), (id) => newDelivery(decision.event, id, options));
}

function assertDecision(decision: unknown): void {
  const { outcome, endpointIds } = (decision ?? {}) as Partial<Record<keyof FanOutDecision, unknown>>;
  if (outcome !== 'deliver' && outcome !== 'drop') {
    throw invalid(
      `decision is ${kindOf(decision)} without an outcome: give what ruleSet.evaluate(event) decided`,
    );
  }
  // Left out, it would be an empty route: nobody would get anything.
  if (endpointIds !== null) {
    assertList('decision.endpointIds', endpointIds, 'a list of ids, or null for every endpoint');
  }
}

function assertList(name: string, list: unknown, instead = 'a list of endpoints'): void {
  if (typeof list === 'object' && list !== null && Symbol.iterator in list) return;
  throw invalid(`${name} is ${kindOf(list)}: give ${instead}`);
}

/** Whatever else a host calls its states, an endpoint must not go without its events for a slip of the pen. */
function isActive(endpoint: unknown): boolean {
  const { id, status } = (endpoint ?? {}) as Partial<Record<keyof FanOutEndpoint, unknown>>;
  if (typeof id !== 'string') throw invalid(`the id of an endpoint is ${kindOf(id)}: give text`);
  if (status === 'active' || status === 'paused') return status === 'active';
  const found = typeof status === 'string' ? JSON.stringify(status.slice(0, 40)) : kindOf(status);
  throw invalid(`the status of endpoint ${id} is ${found}: give 'active' or 'paused'`);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A UUID in lower case; an id of any other form as it is. */
const canonicalId = (id: string): string => (UUID.test(id) ? id.toLowerCase() : id);

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
  decision: FanOutDecision,
  endpoints: Iterable<FanOutEndpoint>,
  options: FanOutOptions,
): Dispatch {
  const deliveries = deliveriesOf('createDispatch', decision, endpoints, options);
  return { body: deliveries.length === 0 ? new Uint8Array() : eventBody(decision.event), deliveries };
}
