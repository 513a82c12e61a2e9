/** Fan-out: from a decision to one delivery for each endpoint. See docs/delivery.md. */
import {
  assertMembers,
  type Check,
  type Checks,
  instant,
  invalid,
  kindOf,
  optional,
  text,
} from './arguments.js';
import { eventBody } from './body.js';
import { type ColumnValues, columnValues } from './columns.js';
import { assertEvent, type Delivery, makeDelivery, orderingKey } from './delivery.js';
import type { Dispatch } from './store.js';
import { coversTopic, type Named, topicOf } from '../topics.js';

/** A `paused` endpoint gets no new events; retries that are already scheduled still run. */
export type EndpointStatus = 'active' | 'paused';

/** The members of an endpoint that fan-out reads. */
export interface FanOutEndpoint {
  /** A UUID, in upper or lower case. */
  readonly id: string;
  readonly status: EndpointStatus;
  /**
   * The topics that it gets: each a topic, or a prefix with `.*`, such as `invoice.*`.
   * @defaultValue `null`, for all of them
   */
  readonly topics?: readonly string[] | null;
}

/** The members of a decision that fan-out reads. */
export interface FanOutDecision {
  readonly outcome: 'deliver' | 'drop';
  /** The projected event. */
  readonly event: Named & { readonly id: string };
  /** `null`: every active endpoint. */
  readonly endpointIds: readonly string[] | null;
}

/** Options of {@link fanOut} and {@link createDispatch}. */
export interface FanOutOptions {
  /** When the first attempts are due; Unix ms. */
  readonly at: number;
  /** Names the operator's action that sends the event again; left out, the deliveries are live. */
  readonly replay?: string;
  /** Values of the store's columns, for each of the deliveries. */
  readonly columns?: ColumnValues;
  /**
   * The ordering key, for each of the deliveries; or a function that returns the key for an endpoint, `null` for an
   * endpoint that needs no order. Deliveries to one endpoint with the same key are sent one at a time, in order.
   * Replays are not.
   * @defaultValue not ordered
   */
  readonly orderingKey?: string | null | ((endpointId: string) => string | null);
}

/** Accepts a key, `null`, or a function. Its results are checked with each delivery. */
const keys: Check = (name, value) => {
  if (value !== null && typeof value !== 'function') orderingKey(name, value);
};

const OPTIONS: Checks<FanOutOptions> = {
  at: instant,
  replay: optional(text),
  columns: optional(columnValues),
  orderingKey: optional(keys),
};

/**
 * The deliveries of a decision: one for each endpoint that is active, is subscribed to the event's topic and, if rules
 * routed the event, is named by one of them. A drop makes none, and no endpoint gets two. UUIDs are compared without
 * regard to case; a delivery has the id as it is spelled in `endpoints`.
 *
 * @param decision - The result of `ruleSet.evaluate`.
 * @param endpoints - All endpoints of the project, or all that are subscribed to the topic; the deliveries have their
 *   order.
 * @param options - When, and whether it is a replay.
 * @throws {@link OptionError} `invalid_option` when `at` is not a whole number, when an endpoint's status is neither
 * `active` nor `paused`, when its topics are not a list, or for a value that is not a decision.
 */
export function fanOut(
  decision: FanOutDecision,
  endpoints: Iterable<FanOutEndpoint>,
  options: FanOutOptions,
): readonly Delivery[] {
  return deliveriesOf('fanOut', decision, endpoints, options);
}

/** @param taker - The function that messages name. */
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
  const topic = topicOf(decision.event);
  const chosen = new Map<string, string>();
  for (const endpoint of endpoints) {
    if (!isActive(endpoint) || !coversTopic(endpoint.topics, topic)) continue;
    const canonical = canonicalId(endpoint.id);
    if ((routed === null || routed.has(canonical)) && !chosen.has(canonical)) {
      chosen.set(canonical, endpoint.id);
    }
  }
  if (chosen.size === 0) return [];
  assertEvent(decision.event);
  const { orderingKey: key = null, ...others } = options;
  const keyOf = typeof key === 'function' ? checked(key) : () => key;
  return Array.from(chosen.values(), (id) =>
    makeDelivery(decision.event, id, { ...others, orderingKey: keyOf(id) }),
  );
}

/** Checks the keys that the host's function returns. */
const checked =
  (keyOf: (endpointId: string) => unknown) =>
  (endpointId: string): string | null => {
    const key = keyOf(endpointId) ?? null;
    if (key !== null) orderingKey('orderingKey', key);
    return key as string | null;
  };

function assertDecision(decision: unknown): void {
  const { outcome, endpointIds } = (decision ?? {}) as Partial<Record<keyof FanOutDecision, unknown>>;
  if (outcome !== 'deliver' && outcome !== 'drop') {
    throw invalid(
      `decision is ${kindOf(decision)} without an outcome: give what ruleSet.evaluate(event) decided`,
    );
  }
  // `undefined` must not be read as an empty route, which no endpoint would get.
  if (endpointIds !== null) {
    assertList('decision.endpointIds', endpointIds, 'a list of ids, or null for every endpoint');
  }
}

function assertList(name: string, list: unknown, instead = 'a list of endpoints'): void {
  if (typeof list === 'object' && list !== null && Symbol.iterator in list) return;
  throw invalid(`${name} is ${kindOf(list)}: give ${instead}`);
}

/** Throws for any other status, and other topics: an endpoint must not lose events because of a misspelled one. */
function isActive(endpoint: unknown): boolean {
  const { id, status, topics } = (endpoint ?? {}) as Partial<Record<keyof FanOutEndpoint, unknown>>;
  if (typeof id !== 'string') throw invalid(`the id of an endpoint is ${kindOf(id)}: give text`);
  if (topics !== undefined && topics !== null && !Array.isArray(topics)) {
    throw invalid(
      `the topics of endpoint ${id} are ${kindOf(topics)}: give a list of topics, or null for all`,
    );
  }
  if (status === 'active' || status === 'paused') return status === 'active';
  const found = typeof status === 'string' ? JSON.stringify(status.slice(0, 40)) : kindOf(status);
  throw invalid(`the status of endpoint ${id} is ${found}: give 'active' or 'paused'`);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A UUID in lower case; an id of any other form as it is. */
const canonicalId = (id: string): string => (UUID.test(id) ? id.toLowerCase() : id);

/**
 * The deliveries of a decision with their shared body, for {@link DeliveryStore.enqueue}. An event whose id or type
 * cannot be sent in a header is accepted: its deliveries fail and end as dead letters, where they are seen.
 *
 * @example
 * ```ts
 * import { createDispatch } from 'headgate/delivery';
 *
 * const decision = { outcome: 'deliver', event: { id: 'evt_1', type: 'ping' }, endpointIds: null } as const;
 * const endpoints = [{ id: 'a', status: 'active' }, { id: 'b', status: 'paused' }] as const;
 * const { deliveries } = createDispatch(decision, endpoints, { at: 1_700_000_000_000 });
 * console.log(deliveries.map(({ id }) => id)); // [ 'evt_1:a' ]
 * ```
 * @example Events of one order reach each endpoint one at a time, in the order in which they were enqueued:
 * ```ts
 * import { createDispatch } from 'headgate/delivery';
 *
 * const event = { id: 'evt_2', type: 'order.paid', data: { order: 'ord_7' } };
 * const decision = { outcome: 'deliver', event, endpointIds: null } as const;
 * const endpoints = [{ id: 'a', status: 'active' }] as const;
 * const { deliveries } = createDispatch(decision, endpoints, { at: Date.now(), orderingKey: event.data.order });
 * console.log(deliveries[0]?.ordering_key); // ord_7
 * ```
 * @param decision - The result of `ruleSet.evaluate`.
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
