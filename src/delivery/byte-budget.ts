/**
 * Limits the bytes of bodies in memory. Claims are limited by number, too, but a hundred bodies may be a kilobyte each
 * or a gigabyte together.
 */

/**
 * Largest body that a store takes, in bytes: 32 MiB. GitHub's webhooks, the largest in use, have up to 25 MB; the rest is
 * for what an event adds around them.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap
 */
export const MAX_BODY_BYTES = 33_554_432;

/** Number of equal shares of the bytes; an endpoint may use one share. */
const SHARES = 8;

/**
 * Limits of bytes in flight. A body that several deliveries of a claim share counts once in the total, and once per
 * delivery in the share of its endpoint.
 */
export interface ByteBudget {
  /** Most bytes in flight with the caller, those of the claim included. */
  readonly max: number;
  /** Most bytes in flight to one endpoint. */
  readonly perEndpoint: number;
  /** Bytes in flight with the caller now. */
  readonly inFlight: number;
  /** Bytes in flight now, by endpoint id; an endpoint without any is left out. */
  readonly inFlightByEndpoint: ReadonlyMap<string, number>;
}

/**
 * A budget that gives each endpoint an eighth.
 *
 * @param max - Most bytes in flight.
 * @param inFlight - Bytes in flight now.
 * @param inFlightByEndpoint - The same by endpoint.
 */
export const byteBudget = (
  max: number,
  inFlight = 0,
  inFlightByEndpoint: ReadonlyMap<string, number> = new Map(),
): ByteBudget => ({ max, perEndpoint: Math.ceil(max / SHARES), inFlight, inFlightByEndpoint });

/**
 * The bytes that a claim may still take. Made for one claim and asked for each delivery in the order of turns.
 *
 * - An endpoint whose next body would exceed its share gets no more turns in this claim; others go on.
 * - A body that would exceed the total ends the claim. No smaller body overtakes it, or it would wait for ever.
 * - No body is too large for ever: where nothing is in flight, in total or to an endpoint, a body of any size passes.
 */
export class ByteRoom {
  readonly #budget: ByteBudget;
  readonly #bodies = new Set<unknown>();
  readonly #byEndpoint: Map<string, number>;
  readonly #closed = new Set<string>();
  #inFlight: number;
  #isCut = false;

  /** @param budget - Of the claim. */
  constructor(budget: ByteBudget) {
    this.#budget = budget;
    this.#inFlight = budget.inFlight;
    this.#byEndpoint = new Map(budget.inFlightByEndpoint);
  }

  /** True once a body did not fit in the total, which ends the claim. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /**
   * True once a body did not fit in its endpoint's share.
   *
   * @param endpointId - Whose share.
   */
  isClosed(endpointId: string): boolean {
    return this.#closed.has(endpointId);
  }

  /**
   * Takes a delivery, if there is room.
   *
   * @param endpointId - Whose turn it is.
   * @param body - Names the body: its bytes, or its key.
   * @param size - Bytes of the body; a negative size counts as 0.
   * @returns Whether it is taken.
   */
  admit(endpointId: string, body: unknown, size: number): boolean {
    if (this.#isCut || this.#closed.has(endpointId)) return false;
    if (size < 0) return this.admit(endpointId, body, 0);
    const ofEndpoint = this.#byEndpoint.get(endpointId) ?? 0;
    if (!hasRoom(ofEndpoint, size, this.#budget.perEndpoint)) {
      this.#closed.add(endpointId);
      return false;
    }
    const added = this.#bodies.has(body) ? 0 : size;
    if (!hasRoom(this.#inFlight, added, this.#budget.max)) {
      this.#isCut = true;
      return false;
    }
    this.#bodies.add(body);
    this.#inFlight += added;
    this.#byEndpoint.set(endpointId, ofEndpoint + size);
    return true;
  }
}

const hasRoom = (inFlight: number, added: number, max: number): boolean =>
  inFlight === 0 || inFlight + added <= max;

/**
 * Deliveries in flight by endpoint, where an endpoint that has used up its share of bytes counts as full: a claim need not
 * look at what it has.
 *
 * @param inFlight - Deliveries in flight by endpoint.
 * @param perEndpoint - How many make an endpoint full.
 * @param budget - What bodies may weigh.
 */
export function inFlightByBytes(
  inFlight: ReadonlyMap<string, number>,
  perEndpoint: number,
  budget: ByteBudget,
): Map<string, number> {
  const counts = new Map(inFlight);
  for (const [endpointId, bytes] of budget.inFlightByEndpoint) {
    const least = bytes < budget.perEndpoint ? 1 : perEndpoint;
    counts.set(endpointId, Math.max(least, counts.get(endpointId) ?? 0));
  }
  return counts;
}
