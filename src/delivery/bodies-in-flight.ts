/** Bytes of all bodies in flight. Deliveries of one claim that share one `Uint8Array` count it once. */
import { type ByteBudget, byteBudget } from './byte-budget.js';
import type { Claim } from './store.js';

/** The bodies of the deliveries in flight with one scheduler. `Flights` makes it and keeps it up to date. */
export class BodiesInFlight {
  /** How many deliveries carry each body. */
  readonly #holders = new Map<Uint8Array, number>();
  /** Bytes by endpoint id, without zeros. */
  readonly #byEndpoint = new Map<string, number>();
  #bytes = 0;

  add({ delivery, body }: Claim): void {
    const holders = this.#holders.get(body) ?? 0;
    if (holders === 0) this.#bytes += body.byteLength;
    this.#holders.set(body, holders + 1);
    count(this.#byEndpoint, delivery.endpoint_id, body.byteLength);
  }

  remove({ delivery, body }: Claim): void {
    if (this.#holders.get(body) === 1) this.#bytes -= body.byteLength;
    count(this.#holders, body, -1);
    count(this.#byEndpoint, delivery.endpoint_id, -body.byteLength);
  }

  /** @param max - Most bytes in flight. */
  budget(max: number): ByteBudget {
    return byteBudget(max, this.#bytes, new Map(this.#byEndpoint));
  }
}

/**
 * Adds to a count; a count of zero is removed.
 *
 * @param counts - Is changed.
 * @param by - May be negative.
 */
export function count<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}
