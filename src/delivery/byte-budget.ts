/**
 * Limits the bytes of bodies in memory. Claims are limited by number, too, but a hundred bodies may be a kilobyte each
 * or a gigabyte together.
 */

/**
 * Largest body that a store takes, in bytes: 32 MiB. GitHub's webhooks, the largest in use, have up to 25 MB; the event
 * around them needs the rest.
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
  /** Most bytes in flight with the caller, including those of the claim. */
  readonly max: number;
  /** Most bytes in flight to one endpoint, including those of the claim. */
  readonly perEndpoint: number;
  /** Bytes in flight with the caller now. */
  readonly inFlight: number;
  /** Bytes in flight now, by endpoint id; endpoints without any are left out. */
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
 * The bytes that a claim may still take. A store makes one for each claim, and asks it for each delivery in turn.
 *
 * - An endpoint whose next body would exceed its share gets no more turns in this claim; others go on.
 * - A body that would exceed the total ends the claim. Smaller bodies may not overtake it, or it might wait forever.
 * - If nothing is in flight, in total or to an endpoint, a body of any size passes. So none waits forever.
 */
export class ByteRoom {
  readonly #budget: ByteBudget;
  readonly #bodies = new Set<unknown>();
  readonly #byEndpoint: Map<string, number>;
  readonly #closed = new Set<string>();
  #inFlight: number;
  #isCut = false;

  /** @param budget - The limits of the claim. */
  constructor(budget: ByteBudget) {
    this.#budget = budget;
    this.#inFlight = budget.inFlight;
    this.#byEndpoint = new Map(budget.inFlightByEndpoint);
  }

  /** True once a body did not fit in the total, which ends the claim. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** True if some deliveries may have to wait for bytes: a body did not fit, or an endpoint has used up its share. */
  get isRestrained(): boolean {
    const { inFlightByEndpoint, perEndpoint } = this.#budget;
    return (
      this.#isCut ||
      this.#closed.size > 0 ||
      [...inFlightByEndpoint.values()].some((bytes) => bytes >= perEndpoint)
    );
  }

  /**
   * True once a body did not fit in the endpoint's share.
   *
   * @param endpointId - The endpoint.
   */
  isClosed(endpointId: string): boolean {
    return this.#closed.has(endpointId);
  }

  /**
   * Takes a delivery, if there is room.
   *
   * @param endpointId - The delivery's endpoint.
   * @param body - Identifies the body: the object that holds it, or its key.
   * @param size - Bytes of the body; a negative size counts as 0.
   * @returns Whether the delivery is taken.
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
 * Deliveries in flight by endpoint. An endpoint that has used up its share of bytes counts as full, so that a claim
 * need not read its deliveries.
 *
 * @param inFlight - Deliveries in flight by endpoint.
 * @param perEndpoint - How many of them make an endpoint full.
 * @param budget - The limits on bytes.
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
