/** The bodies of events, for as long as deliveries need them. Deliveries of one event share those that are equal. */

/** A body as it is sent. */
export interface StoredBody {
  readonly eventId: string;
  readonly bytes: Uint8Array;
  /** Deliveries that are unfinished or failed. */
  holders: number;
}

/** All bodies, each once. */
export class Bodies {
  /** By event id; more than one where rules were edited between a delivery and its replay. */
  readonly #byEvent = new Map<string, readonly StoredBody[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The event's body of these bytes, held by nobody yet when it is new; then the bytes are copied. */
  of(eventId: string, bytes: Uint8Array): StoredBody {
    const bodies = this.#byEvent.get(eventId) ?? [];
    const known = bodies.find((body) => areEqual(body.bytes, bytes));
    if (known !== undefined) return known;
    const body = { eventId, bytes: new Uint8Array(bytes), holders: 0 };
    this.#byEvent.set(eventId, bodies.concat(body));
    this.#size++;
    return body;
  }

  /** One delivery fewer needs it. */
  release(body: StoredBody): void {
    if (--body.holders > 0) return;
    const others = this.#byEvent.get(body.eventId)?.filter((other) => other !== body) ?? [];
    if (others.length > 0) this.#byEvent.set(body.eventId, others);
    else this.#byEvent.delete(body.eventId);
    this.#size--;
  }
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
