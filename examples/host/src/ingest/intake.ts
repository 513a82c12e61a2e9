/** Takes bodies in: counts what each project sends, and lets large bodies be read one at a time. */
import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import { Problem } from '../errors/problem.js';
import { type Rate, createRate } from '../limits/rate.js';
import { createTurns, type Turns } from '../limits/turns.js';

/** Limits of the bodies that are read. */
export interface BodyLimits {
  /** Bytes of bodies that one project may send per second. A burst may have the bytes of two seconds. */
  readonly bytesPerSecond: number;
  readonly maxBodyBytes: number;
}

/** The members of a call that its body is taken from. */
export interface BodyCall {
  readonly headers: Headers;
  readonly bytes: (owner?: string) => Promise<Uint8Array>;
}

/** Bodies of this size or more are read one per turn of the event loop. */
const LARGE_BODY_BYTES = 65_536;
const LARGE = { atOnce: 1, ofProject: 1, waiting: Infinity, allWaiting: Infinity, of: 'large bodies' };
/** Each name, value and bracket of a JSON body counts as this many of the project's bytes. */
const TOKEN_BYTES = 8;

/** The bytes that each project has sent; made with ingest, and kept as long. */
export class Intake {
  readonly #bytesPerSecond: number;
  readonly #now: () => number;
  readonly #limited: (project: string) => void;
  readonly #rate: Rate;
  readonly #large: Turns = createTurns(LARGE);

  /** @param limited - Called when a project has sent more than it may. */
  constructor(now: () => number, bytesPerSecond: number, limited: (project: string) => void) {
    this.#now = now;
    this.#limited = limited;
    this.#bytesPerSecond = bytesPerSecond;
    this.#rate = createRate(bytesPerSecond);
  }

  /**
   * Takes the body of a request. If its length is announced, it is counted before it is read.
   *
   * @throws Problem (as a rejection) `body_too_large`, and `too_many_requests` if the project has sent more than it
   *   may.
   */
  async take({ headers, bytes }: BodyCall, project: string, maxBytes: number): Promise<Uint8Array> {
    const announced = announcedBytes(headers, maxBytes);
    if (announced !== null) this.#count(project, announced);
    const body = await bytes(project);
    if (announced === null) this.#count(project, body.byteLength);
    return body;
  }

  /** Reads a body at once or, if it is large, when it is its project's turn. */
  async inTurn<Read>(project: string, size: number, read: () => Read): Promise<Read> {
    if (size < LARGE_BODY_BYTES) return read();
    return this.#large.run(project, async () => {
      await nextLoopTurn();
      return read();
    });
  }

  /** Counts a body for what it costs to read beyond its bytes: a dense one takes as long as a longer one. */
  countTokens(project: string, tokens: number, size: number): void {
    this.#rate.spend(project, Math.max(0, tokens * TOKEN_BYTES - size), this.#now());
  }

  #count(project: string, bytes: number): void {
    const waitMs = this.#rate.take(project, bytes, this.#now());
    if (waitMs === 0) return;
    this.#limited(project);
    const message = `the project sends more than ${this.#bytesPerSecond} bytes a second: send the request again later`;
    throw new Problem('too_many_requests', message, { retryAfter: Math.ceil(waitMs / 1_000) });
  }
}

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
