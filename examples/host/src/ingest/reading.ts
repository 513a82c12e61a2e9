/** From a request to the event in it: takes the body, verifies its source, and parses it. */
import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import type { Call } from '../api/route.js';
import type { PersistedEvent } from '../stored/event-json.js';
import { newEventId, timeOfEventId } from '../ids.js';
import { Problem } from '../errors/problem.js';
import { createTurns, type Turns } from '../limits/turns.js';
import { type ByteRate, createByteRate } from '../limits/byte-rate.js';
import { credentialFinder, type HoldsCredential } from '../secrets/credentials.js';
import { challengeOf, type IngestChannel, secretHeadersOf, verifySource } from '../sources/index.js';
import { readRequest, type Received } from './body.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import type { IdempotencyKey } from './persist.js';
import type { ingest } from './routes.js';

/** A request to ingest. */
export type IngestCall = Call<typeof ingest>;

/** An event that waits to be stored. */
export interface Incoming {
  readonly event: PersistedEvent;
  readonly key: IdempotencyKey | null;
}

/** Limits of the bodies that are read. */
export interface BodyLimits {
  /** Bytes of bodies that one project may send per second. A burst may have the bytes of two seconds. */
  readonly bytesPerSecond: number;
  readonly maxBodyBytes: number;
}

/** Dependencies of a reader. */
export interface ReaderParts {
  readonly now: () => number;
  readonly limits: BodyLimits;
  /** The operator's key, which no event may hold; null if there is none. */
  readonly operatorKey: string | null;
  /** Called when the source of a request to a channel could not be verified. */
  readonly rejected: (channel: string, at: number) => void;
}

/** Bodies of this size or more are read one per turn of the event loop. */
const LARGE_BODY_BYTES = 65_536;
const LARGE = { atOnce: 1, ofProject: 1, waiting: Infinity, allWaiting: Infinity, of: 'large bodies' };
/** Each name, value and bracket of a JSON body counts as this many of the project's bytes. */
const TOKEN_BYTES = 8;
const EVENT_TYPE = 'webhook.received';

/** Reads requests, and counts what each project sends; made with ingest, and kept as long. */
export class Reader {
  readonly #parts: ReaderParts;
  readonly #rate: ByteRate;
  readonly #holdsCredential: HoldsCredential;
  readonly #large: Turns = createTurns(LARGE);

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#rate = createByteRate(parts.limits.bytesPerSecond);
    this.#holdsCredential = credentialFinder(parts.operatorKey);
  }

  /**
   * Returns a text if the provider sent a challenge to verify the address: the text answers it, and there is no event.
   *
   * @throws Problem (as a rejection) if the body is too large, its source cannot be verified, or it cannot be read.
   */
  async read(call: IngestCall, channel: IngestChannel): Promise<Incoming | string> {
    const body = await this.#take(call, channel.project);
    const headers = call.rawHeaders();
    const { name, settings } = channel.source;
    const at = this.#parts.now();
    if (!verifySource(name, { headers, body, now: at }, settings).ok) {
      this.#parts.rejected(channel.id, at);
      throw new Problem('signature_invalid', 'the source of the request could not be verified');
    }
    const challenge = challengeOf(name, body);
    if (challenge !== null) return challenge;
    const key = idempotencyKeyOf(channel, headers, body);
    const received = await this.#inTurn(channel.project, body, () =>
      receivedOf(call, channel, body, this.#holdsCredential),
    );
    this.#rate.spend(channel.project, extraCost(received, body), this.#parts.now());
    return { event: eventOf(channel, received, at), key };
  }

  /** Takes the body. If its length is announced, it is counted before it is read. */
  async #take(call: IngestCall, project: string): Promise<Uint8Array> {
    const announced = announcedBytes(call.headers, this.#parts.limits.maxBodyBytes);
    if (announced !== null) this.#spend(project, announced);
    const body = await call.bytes(project);
    if (announced === null) this.#spend(project, body.byteLength);
    return body;
  }

  /** @throws Problem `too_many_requests` if the project has sent more than it may. */
  #spend(project: string, bytes: number): void {
    const waitMs = this.#rate.take(project, bytes, this.#parts.now());
    if (waitMs > 0) throw tooManyBytes(this.#parts.limits.bytesPerSecond, waitMs);
  }

  /** Reads a body at once or, if it is large, when it is its project's turn. */
  async #inTurn(project: string, body: Uint8Array, read: () => Received): Promise<Received> {
    if (body.byteLength < LARGE_BODY_BYTES) return read();
    return this.#large.run(project, async () => {
      await nextLoopTurn();
      return read();
    });
  }
}

const tooManyBytes = (most: number, waitMs: number): Problem =>
  new Problem(
    'too_many_requests',
    `the project sends more than ${most} bytes a second: send the request again later`,
    { retryAfter: Math.ceil(waitMs / 1_000) },
  );

/**
 * Returns null if the length is not announced.
 *
 * @throws Problem `body_too_large` before anything is read.
 */
function announcedBytes(headers: Headers, most: number): number | null {
  const announced = headers.get('content-length');
  if (announced === null) return null;
  const bytes = Number(announced);
  if (bytes > most) throw new Problem('body_too_large', `the body has more than ${most} bytes`);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
}

/** @throws Problem for a body that cannot be read. */
function receivedOf(
  call: IngestCall,
  channel: IngestChannel,
  body: Uint8Array,
  holdsCredential: HoldsCredential,
): Received {
  const { path, query } = targetOf(call.request.url);
  const { name, settings } = channel.source;
  const spelled = path.slice(path.lastIndexOf('/') + 1);
  const read = readRequest(
    { method: call.request.method, path, query, headers: call.rawHeaders(), body },
    {
      headers: secretHeadersOf(name, settings),
      holdsCredential,
      address: spelled === channel.address ? [spelled] : [spelled, channel.address],
      id: channel.id,
    },
  );
  if (!read.ok) throw new Problem(read.failure.code, read.failure.message);
  return read.value;
}

/** Bytes that a body counts for beyond its own: a dense one takes as long as a longer one. */
const extraCost = ({ tokens }: Received, body: Uint8Array): number =>
  Math.max(0, tokens * TOKEN_BYTES - body.byteLength);

function eventOf(channel: IngestChannel, { data, rawPayload }: Received, at: number): PersistedEvent {
  const id = newEventId(at);
  return {
    id,
    project: channel.project,
    channelId: channel.id,
    channelName: channel.name,
    type: EVENT_TYPE,
    // If the clock was set back, both orders still agree.
    receivedAt: timeOfEventId(id),
    data,
    rawPayload,
  };
}

/** The parts of an absolute URL without a fragment. `new URL` takes several times as long. */
function targetOf(url: string): { readonly path: string; readonly query: string } {
  const from = url.indexOf('/', url.indexOf('//') + 2);
  const mark = url.indexOf('?', from);
  return mark < 0
    ? { path: url.slice(from), query: '' }
    : { path: url.slice(from, mark), query: url.slice(mark + 1) };
}
