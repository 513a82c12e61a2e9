/**
 * How many bytes of bodies may be in memory at once. Claims are bounded by number, too, but a hundred bodies may weigh
 * a kilobyte each or a gigabyte together.
 */

/**
 * Largest body that a store takes, in bytes: 32 MiB. GitHub's webhooks, the largest in use, have up to 25 MB; the rest is
 * for what an event adds around them.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap
 */
export const MAX_BODY_BYTES = 33_554_432;

/** Into how many shares the bytes are divided; an endpoint has one. */
const SHARES = 8;

/**
 * What bodies may weigh. A body that several deliveries of a claim share counts once in all, and for each of their
 * endpoints.
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
 * What a claim still has room for. Made for one claim, asked for each delivery in the order of turns, and thrown away.
 *
 * - An endpoint whose next body is over its share has no more turns in this claim: others go on.
 * - A body that is over the whole ends the claim. Nothing smaller overtakes it, or it would wait for ever.
 * - Nobody is ever too large: where nothing is in flight, in all or to an endpoint, one body goes whatever it weighs.
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

  /** A body had no room in the whole: the claim is over. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /**
   * A body had no room in its endpoint's share.
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
   * @param size - What it weighs, in bytes; less than nothing is nothing.
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
