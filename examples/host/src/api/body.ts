/** Reads the headers and the body of a request, the latter up to a limit. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderPairs } from '../http/headers.js';
import { Problem } from '../errors/problem.js';
import type { Charge } from '../limits/ledger.js';
import { overloaded } from '../limits/memory.js';

/** The bindings that `@hono/node-server` gives to each request; absent where a host mounts `fetch` elsewhere. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

/** The headers of a request as they came; without Node's own request, those that repeat are one. */
export function headerPairs(request: Request, { incoming }: NodeBindings): HeaderPairs {
  if (incoming === undefined) return [...request.headers];
  const { rawHeaders } = incoming;
  return Array.from({ length: rawHeaders.length / 2 }, (_, i) => [
    rawHeaders[2 * i] ?? '',
    rawHeaders[2 * i + 1] ?? '',
  ]);
}

const tooLarge = (limit: number): Problem =>
  new Problem(
    'body_too_large',
    `the body has more than ${limit} bytes, which is the most that is taken here`,
  );

const brokenOff = (): Problem => new Problem('invalid_request', 'the body ended before it was complete');

/**
 * The bytes of a body. Reads Node's own stream where there is one: touching `request.body` would build a web stream,
 * which costs three times as much as all the rest of a small request.
 *
 * @param charge - Charged with the announced length before anything is read, or with what has come if none is
 *   announced.
 * @throws Problem `body_too_large` as soon as it is known, `overloaded` if the charge is refused, `invalid_request`
 * when the caller goes away.
 */
export async function readBody(
  request: Request,
  { incoming }: NodeBindings,
  limit: number,
  charge: Charge,
): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > limit) throw tooLarge(limit);
  if (announced > 0 && !charge.set(announced)) throw overloaded();
  const body = new Chunks(limit, announced, charge);
  if (incoming !== undefined && !incoming.readableEnded) return readStream(incoming, body);
  try {
    for await (const chunk of request.body ?? []) {
      const refusal = body.add(chunk);
      if (refusal !== null) throw refusal;
    }
  } catch (error) {
    throw error instanceof Problem ? error : brokenOff();
  }
  return body.all();
}

/** Made for one body, and gone when it is complete. */
class Chunks {
  readonly #limit: number;
  readonly #charge: Charge;
  readonly #chunks: Uint8Array[] = [];
  readonly #announced: number;
  /** Takes the chunks of a body whose length is known, so that none of them is held beside the whole. */
  #whole: Uint8Array | null = null;
  #size = 0;

  constructor(limit: number, announced: number, charge: Charge) {
    this.#limit = limit;
    this.#announced = announced;
    this.#charge = charge;
  }

  /** Returns the refusal of a chunk that is too much; else null. */
  add(chunk: Uint8Array): Problem | null {
    this.#size += chunk.byteLength;
    if (this.#size > this.#limit) return tooLarge(this.#limit);
    if (this.#size > this.#charge.amount && !this.#charge.set(this.#size)) return overloaded();
    this.#keep(chunk);
    return null;
  }

  all(): Uint8Array {
    if (this.#whole !== null) return this.#whole.subarray(0, this.#size);
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
  }

  #keep(chunk: Uint8Array): void {
    const before = this.#size - chunk.byteLength;
    const fits = this.#size <= this.#announced;
    // A body that comes in one chunk is taken as it is.
    if (fits && (before > 0 || this.#size < this.#announced)) {
      this.#whole ??= Buffer.allocUnsafeSlow(this.#announced);
      this.#whole.set(chunk, before);
      return;
    }
    // Outside Node's parser, more may come than was announced.
    if (this.#whole !== null) this.#chunks.push(this.#whole.subarray(0, before));
    this.#whole = null;
    this.#chunks.push(chunk);
  }
}

function readStream(incoming: IncomingMessage, body: Chunks): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      const refusal = body.add(chunk);
      if (refusal !== null) settle(() => reject(refusal));
    };
    const ended = (): void => settle(() => resolve(body.all()));
    const gone = (): void => settle(() => reject(brokenOff()));
    // Every request closes at its end, and an error that nobody reads costs as much as the rest of a small one.
    const settle = (how: () => void): void => {
      incoming.off('data', take).off('end', ended).off('error', gone).off('close', gone);
      incoming.on('error', () => undefined);
      how();
    };
    incoming.on('data', take).once('end', ended).once('error', gone).once('close', gone);
    // The caller may have gone while its key was looked up; then there is no event to come.
    if (incoming.destroyed) gone();
  });
}
