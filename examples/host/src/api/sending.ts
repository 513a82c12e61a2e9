/**
 * Sends answers within the ledger of memory: an answer is charged until its caller has taken it, and a caller that
 * takes nothing for a while is cut off.
 */
import type { ServerResponse } from 'node:http';
import type { Charge } from '../limits/ledger.js';
import { unread } from '../limits/memory.js';

/** How one answer is sent. */
export interface Delivery {
  /** The charge of the request, whose body is no longer held. It is closed with the answer. */
  readonly charge: Charge;
  /** Absent where a host mounts `fetch` elsewhere. */
  readonly outgoing: ServerResponse | undefined;
  /** True if the caller may repeat the request, so that the answer may be refused when there is no room for it. */
  readonly mayRefuse: boolean;
}

/** Answers that are under way; mutable. */
export interface Sending {
  /**
   * Sends an answer whose `content-length` tells its size; without one it is taken for small.
   *
   * @returns The answer to give to the server.
   * @throws Problem `overloaded`
   */
  whole(response: Response, delivery: Delivery): Response;
  /** Sends a stream, which may hold {@link MAX_STREAM_QUEUE} bytes of its own beside the message that it makes. */
  stream(body: ReadableStream<Uint8Array>, headers: HeadersInit, delivery: Delivery): Response;
}

/** Bytes that a stream may keep for a reader that is slow. */
export const MAX_STREAM_QUEUE = 65_536;
/** A larger answer is given to the socket piece by piece, as the caller takes it. */
const PIECE = 65_536;
/** A caller has to take a piece within this time. */
const STALL_MS = 20_000;
const LOOK_MS = 1_000;

/** @param now - Unix ms. */
export function createSending(now: () => number): Sending {
  const open = new Set<Sent>();
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    for (const sent of open) sent.look(now());
    if (open.size > 0) return;
    clearInterval(timer ?? undefined);
    timer = null;
  };
  const begin = (delivery: Delivery, own: number): Sent => {
    const sent = new Sent(delivery, own, now, (closed) => open.delete(closed));
    open.add(sent);
    timer ??= setInterval(look, LOOK_MS).unref();
    return sent;
  };
  const assertCharged = ({ charge, mayRefuse }: Delivery, bytes: number): void => {
    if (charge.set(bytes)) return;
    if (mayRefuse) throw unread();
    charge.force(bytes);
  };
  return {
    whole(response, delivery) {
      const bytes = Number(response.headers.get('content-length') ?? 0);
      assertCharged(delivery, bytes);
      if (bytes > PIECE && response.body !== null) {
        const { status, headers } = response;
        return new Response(begin(delivery, PIECE).paced(response.body), { status, headers });
      }
      if (delivery.outgoing === undefined) delivery.charge.close();
      else begin(delivery, bytes);
      return response;
    },
    stream(body, headers, delivery) {
      assertCharged(delivery, MAX_STREAM_QUEUE + PIECE);
      return new Response(begin(delivery, MAX_STREAM_QUEUE + PIECE).paced(body), { headers });
    },
  };
}

/** Made for each answer; closed when the caller has taken all of it, or has gone. */
class Sent {
  readonly #delivery: Delivery;
  /** Bytes that are charged beside the rest of a chunk. */
  readonly #own: number;
  readonly #now: () => number;
  readonly #closed: (sent: Sent) => void;
  #movedAt: number;
  /** True while the caller waits for more. */
  #isAsked = false;
  #cut = (): void => undefined;

  constructor(delivery: Delivery, own: number, now: () => number, closed: (sent: Sent) => void) {
    this.#delivery = delivery;
    this.#own = own;
    this.#now = now;
    this.#closed = closed;
    this.#movedAt = now();
    delivery.outgoing?.once('close', () => this.#close());
  }

  /** Cuts a caller off that does not read. */
  look(at: number): void {
    const { outgoing } = this.#delivery;
    // The log leaves out callers that went away before their answer was made.
    if (outgoing?.destroyed === true || outgoing?.req.socket.destroyed === true) this.#close();
    // Behind an earlier answer on the same connection, it has no socket yet.
    else if (this.#isAsked || outgoing?.socket === null) this.#movedAt = at;
    else if (at - this.#movedAt >= STALL_MS) {
      if (outgoing === undefined) this.#cut();
      else outgoing.destroy();
      this.#close();
    }
  }

  /** The same bytes in pieces, of which the reader asks for each. */
  paced(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let rest: Uint8Array | undefined;
    const next = async (): Promise<Uint8Array | undefined> => {
      while (rest === undefined || rest.byteLength === 0) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        rest = value;
      }
      const piece = rest.subarray(0, PIECE);
      rest = rest.subarray(PIECE);
      this.#delivery.charge.force(this.#own + rest.byteLength);
      return piece;
    };
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#cut = () => {
            controller.error(new Error('the caller does not read its answer'));
            reader.cancel().catch(() => undefined);
          };
        },
        pull: async (controller) => {
          this.#isAsked = true;
          const piece = await next();
          this.#isAsked = false;
          this.#movedAt = this.#now();
          if (piece !== undefined) controller.enqueue(piece);
          else {
            controller.close();
            if (this.#delivery.outgoing === undefined) this.#close();
          }
        },
        cancel: (reason) => {
          this.#close();
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  #close(): void {
    this.#delivery.charge.close();
    this.#closed(this);
  }
}
