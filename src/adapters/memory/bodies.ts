/** The bodies of events, kept for as long as deliveries need them. Deliveries of one event share equal bodies. */

/** A request body. */
export interface HeldBody {
  readonly eventId: string;
  readonly size: number;
  /** `'unstored'` if the store's option `readBodies` has them. */
  readonly bytes: Uint8Array | 'unstored';
  /** Number of unfinished or failed deliveries that have this body. */
  holders: number;
}

/** A body whose bytes the store has. */
interface StoredBody extends HeldBody {
  readonly bytes: Uint8Array;
}

/** A body that is not stored. */
export const unstoredBody = (eventId: string, size: number): HeldBody => ({
  ...{ eventId, size, bytes: 'unstored', holders: 0 },
});

/** The bodies of one memory store, each held once. The ledger makes it, and counts the holders of a body. */
export class Bodies {
  /** By event id. An event has several where rules were edited between a delivery and its replay. */
  readonly #byEvent = new Map<string, readonly StoredBody[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The event's body with these bytes. A new one has no holders yet, and copies the bytes. */
  of(eventId: string, bytes: Uint8Array): HeldBody {
    const bodies = this.#byEvent.get(eventId) ?? [];
    const known = bodies.find((body) => areEqual(body.bytes, bytes));
    if (known !== undefined) return known;
    const body = { eventId, size: bytes.length, bytes: new Uint8Array(bytes), holders: 0 };
    this.#byEvent.set(eventId, bodies.concat(body));
    this.#size++;
    return body;
  }

  /** Removes one holder, and the body with its last one. */
  release(body: HeldBody): void {
    if (--body.holders > 0 || body.bytes === 'unstored') return;
    const others = this.#byEvent.get(body.eventId)?.filter((other) => other !== body) ?? [];
    if (others.length > 0) this.#byEvent.set(body.eventId, others);
    else this.#byEvent.delete(body.eventId);
    this.#size--;
  }
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
