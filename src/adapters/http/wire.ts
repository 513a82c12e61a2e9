/** Records what requests write and receive on the connections of a transport that keeps exchanges. */
import type { Socket } from 'node:net';
import {
  type Exchange,
  type ExchangeResponse,
  type ExchangeTimings,
  MAX_EXCHANGE_BODY_BYTES,
} from '../../delivery/transport.js';
import type { ConnectTimings } from './connect.js';

const KEPT_CONNECTION: ConnectTimings = { dns_ms: null, connect_ms: null, tls_ms: null };

/** The exchange of one attempt while it is under way. Made when the request is dispatched. */
export class Recording {
  readonly #began = performance.now();
  #head: string | null = null;
  #connection = KEPT_CONNECTION;
  #wroteAt = this.#began;
  #firstByteMs: ExchangeTimings['first_byte_ms'] = null;
  #response: Pick<ExchangeResponse, 'status' | 'headers'> | null = null;
  readonly #pieces: Buffer[] = [];
  #room = MAX_EXCHANGE_BODY_BYTES;

  /** The request was written. */
  wrote(head: string, connection: ConnectTimings): void {
    this.#head = head;
    this.#connection = connection;
    this.#wroteAt = performance.now();
  }

  /** The response headers are complete. `raw` has names and values in turn. */
  answered(status: number, raw: readonly (Buffer | string)[]): void {
    this.#firstByteMs = performance.now() - this.#wroteAt;
    const texts = raw.map((one) => (typeof one === 'string' ? one : one.toString('latin1')));
    const headers = texts.flatMap((name, i) => (i % 2 === 0 ? [[name, texts[i + 1] ?? ''] as const] : []));
    this.#response = { status, headers };
  }

  /**
   * Keeps a piece of the body, and copies it, since the parser uses its memory again.
   *
   * @returns Whether more can be kept.
   */
  received(piece: Buffer): boolean {
    const kept = Buffer.from(piece.subarray(0, this.#room));
    this.#pieces.push(kept);
    this.#room -= kept.length;
    return kept.length === piece.length;
  }

  /** @param isComplete - Whether the body has ended. */
  end(isComplete: boolean): Exchange {
    const body = Buffer.concat(this.#pieces);
    return {
      request_head: this.#head,
      response: this.#response && { ...this.#response, body, is_complete: isComplete },
      timings: {
        ...this.#connection,
        first_byte_ms: this.#firstByteMs,
        total_ms: performance.now() - this.#began,
      },
    };
  }
}

/**
 * Hands what undici writes to the recording of its request. undici says that a request has a connection, and writes the
 * head of that request as one text, before it does anything else. Made with the transport.
 */
export class Wire {
  #next: Recording | null = null;

  /** The next head that is written is that of the recording; `null` for a request that is not recorded. */
  expect(recording: Recording | null): void {
    this.#next = recording;
  }

  /** Watches the writes of a new socket; its first request has its timings. */
  readonly watch = (socket: Socket, timings: ConnectTimings): void => {
    let connection = timings;
    const write = socket.write.bind(socket) as (...args: readonly unknown[]) => boolean;
    socket.write = (...args: readonly unknown[]): boolean => {
      const [text] = args;
      if (this.#next !== null && typeof text === 'string') {
        this.#next.wrote(text, connection);
        this.#next = null;
        connection = KEPT_CONNECTION;
      }
      return write(...args);
    };
  };
}
