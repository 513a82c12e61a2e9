/** An HTTP server that records and verifies what it receives, and answers as a test says: for tests of senders. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  assertMembers,
  callable,
  type Checks,
  integer,
  invalid,
  kindOf,
  optional,
  text,
} from '../delivery/arguments.js';
import type { Event } from '../rules/rule.js';
import { createVerifier, SignatureError, type VerifiedDelivery } from '../signing/index.js';

/** One request to a recording receiver. */
export interface ReceivedRequest {
  /** Such as `POST`. */
  readonly method: string;
  /** The path, with its query. */
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The raw body. */
  readonly body: Uint8Array;
  /** The body as JSON, unchecked; `null` if it is not a JSON object. */
  readonly event: Event | null;
  /** How many requests with this event id have come to this URL, this one included: 1 for the first attempt. */
  readonly attempt: number;
  /** Result of verifying; `null` if verifying failed, or the receiver has no secrets. */
  readonly verified: VerifiedDelivery | null;
  /** Error of verifying; `null` if the request is genuine, or the receiver has no secrets. */
  readonly error: SignatureError | null;
}

/**
 * How a recording receiver answers: with a status, with a status and headers, or not at all. `'reset'` closes the
 * connection, `'hang'` leaves it open until the receiver is closed.
 */
export type ReceiverAnswer =
  | number
  | 'reset'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** Options of {@link createRecordingReceiver}. */
export interface RecordingReceiverOptions {
  /** The signing secrets; without them nothing is verified. */
  readonly secrets?: string | readonly string[];
  /**
   * First part of the header names.
   * @defaultValue `'Svc'`
   */
  readonly brand?: string;
  /**
   * The clock by which requests are verified, in Unix seconds: `() => clock.now() / 1_000` where the sender has a
   * manual clock.
   * @defaultValue the system's clock
   */
  readonly now?: () => number;
  /**
   * Answers a request after it was recorded. An answer is slow when its promise is. If it throws, the answer is 500,
   * and `received` and `close` reject with its error.
   * @defaultValue 204, or 400 where verifying failed
   */
  readonly answer?: (request: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer>;
}

/** A receiver for tests. */
export interface RecordingReceiver {
  /** Address of the server, on this machine, such as `http://127.0.0.1:49152`; any path may follow. */
  readonly url: string;
  /** Every request whose body came whole, in that order. */
  readonly requests: readonly ReceivedRequest[];
  /**
   * Resolves with the first requests, as soon as this many have come. Rejects when the receiver is closed before.
   *
   * @param count - How many.
   * @throws `OptionError` `invalid_option` (as a rejection) unless it is a whole number.
   */
  received(count: number): Promise<readonly ReceivedRequest[]>;
  /** Closes the server and all connections. */
  close(): Promise<void>;
}

const aCount = integer(0, Number.MAX_SAFE_INTEGER);

const OPTIONS: Checks<RecordingReceiverOptions> = {
  secrets: () => undefined, // the verifier checks it
  brand: optional(text),
  now: optional(callable('a function that returns Unix seconds')),
  answer: optional(callable('a function from a request to an answer')),
};

/**
 * Starts a receiver on a free port of this machine. A transport sends to it only with `allow: ['127.0.0.0/8']`.
 *
 * @example
 * ```ts
 * import { createRecordingReceiver, createSignedRequest } from 'headgate/testing';
 *
 * const receiver = await createRecordingReceiver({
 *   secrets: 'whsec_test',
 *   answer: ({ attempt }) => (attempt === 1 ? 503 : 204),
 * });
 * const request = createSignedRequest({ secrets: 'whsec_test' });
 * console.log((await fetch(receiver.url, request)).status); // 503
 * console.log((await fetch(receiver.url, request)).status); // 204
 * const [first] = await receiver.received(2);
 * console.log(first?.verified?.eventId); // evt_1
 * await receiver.close();
 * ```
 * @throws `OptionError` `invalid_option`, `invalid_secret`, `invalid_brand` (as a rejection)
 */
export async function createRecordingReceiver(
  options: RecordingReceiverOptions = {},
): Promise<RecordingReceiver> {
  assertMembers<RecordingReceiverOptions>('createRecordingReceiver', options, OPTIONS);
  const recorder = new Recorder(options);
  const server = createServer((request, response) => void recorder.take(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: recorder.requests,
    received: (count) => recorder.received(count),
    async close() {
      await closed(server);
      recorder.end();
    },
  };
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  const gone = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await gone;
}

/** A call of `received` that waits for more requests. */
interface Waiting {
  readonly count: number;
  readonly resolve: (requests: readonly ReceivedRequest[]) => void;
  readonly reject: (reason: unknown) => void;
}

type Verified = Pick<ReceivedRequest, 'verified' | 'error'>;

/** The records of one receiver, which makes it and ends it when it closes. */
class Recorder {
  readonly requests: ReceivedRequest[] = [];
  readonly #attempts = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  readonly #idHeader: string;
  readonly #verify: (body: Uint8Array, headers: IncomingHttpHeaders) => Verified;
  readonly #answer: NonNullable<RecordingReceiverOptions['answer']>;
  /** Set by an answer that threw. */
  #failure: { readonly reason: unknown } | null = null;
  #ended = false;

  constructor({ secrets, brand = 'Svc', now, answer = byDefault }: RecordingReceiverOptions) {
    this.#idHeader = `${brand}-event-id`.toLowerCase();
    this.#answer = answer;
    this.#verify =
      secrets === undefined
        ? () => ({ verified: null, error: null })
        : verifying(createVerifier({ secrets, brand, ...(now && { now }) }));
  }

  /** Records a request whose body comes whole, and answers it. */
  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => null);
    if (body === null || this.#ended) return;
    const received = this.#record(request, body);
    try {
      reply(response, await this.#answer(received));
    } catch (reason) {
      this.#fail(reason);
      reply(response, 500);
    }
  }

  received(count: number): Promise<readonly ReceivedRequest[]> {
    return new Promise((resolve, reject) => {
      aCount('count', count);
      this.#waiting.add({ count, resolve, reject });
      this.#settle();
    });
  }

  /** @throws the error of an answer */
  end(): void {
    this.#ended = true;
    this.#settle();
    if (this.#failure !== null) throw this.#failure.reason;
  }

  #record({ method = '', url = '', headers }: IncomingMessage, body: Uint8Array): ReceivedRequest {
    const key = `${url} ${String(headers[this.#idHeader])}`;
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    const received = {
      method,
      url,
      headers,
      body,
      event: parse(body),
      attempt,
      ...this.#verify(body, headers),
    };
    this.requests.push(received);
    this.#settle();
    return received;
  }

  #fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#settle();
  }

  /** Ends the calls of `received` that have what they wait for, or cannot get it any more. */
  #settle(): void {
    for (const waiting of this.#waiting) {
      const isThere = this.requests.length >= waiting.count;
      if (!isThere && this.#failure === null && !this.#ended) continue;
      this.#waiting.delete(waiting);
      if (isThere) waiting.resolve(this.requests.slice(0, waiting.count));
      else waiting.reject(this.#failure === null ? closedAfter(this.requests.length) : this.#failure.reason);
    }
  }
}

const closedAfter = (count: number): Error =>
  new Error(`the receiver was closed after ${count} requests, and more were awaited`);

const byDefault = ({ error }: ReceivedRequest): number => (error === null ? 204 : 400);

const verifying =
  (verify: ReturnType<typeof createVerifier>) =>
  (body: Uint8Array, headers: IncomingHttpHeaders): Verified => {
    try {
      return { verified: verify(body, headers), error: null };
    } catch (error) {
      if (error instanceof SignatureError) return { verified: null, error };
      throw error;
    }
  };

function parse(body: Uint8Array): Event | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && !Array.isArray(value) ? (value as Event | null) : null;
  } catch {
    return null;
  }
}

function reply(response: ServerResponse, answer: ReceiverAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'reset') {
    response.destroy();
    return;
  }
  const { status, headers = {} } = typeof answer === 'number' ? { status: answer } : whole(answer);
  response.writeHead(status, headers).end();
}

/** @throws `OptionError` `invalid_option` for an invalid answer, such as that of a function that returns nothing */
function whole(answer: Exclude<ReceiverAnswer, number | string>): {
  status: number;
  headers?: OutgoingHttpHeaders;
} {
  if (Number.isInteger((answer as Partial<typeof answer> | undefined)?.status)) return answer;
  throw invalid(`answer gave ${kindOf(answer)}: give a status, { status, headers }, 'reset' or 'hang'`);
}
