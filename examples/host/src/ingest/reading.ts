/** From a request to the event in it: takes the body, verifies its source, and parses it. */
import type { Call } from '../api/route.js';
import { type PersistedEvent, WEBHOOK_RECEIVED } from '../stored/event-json.js';
import { Problem } from '../errors/problem.js';
import { credentialFinder, type HoldsCredential } from '../secrets/credentials.js';
import {
  challengeOf,
  type Described,
  describedBy,
  type IngestChannel,
  secretHeadersOf,
  verifySource,
} from '../sources/index.js';
import type { ArrivalBy } from './arrival.js';
import { type InboundRequest, readRequest, type Received } from './body.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import type { Intake } from './intake.js';
import type { IdempotencyKey } from './persist.js';
import type { ingest } from './routes.js';

/** A request to ingest. */
export type IngestCall = Call<typeof ingest>;

/** An event that waits to be stored. */
export interface Incoming {
  readonly event: PersistedEvent;
  readonly key: IdempotencyKey | null;
}

/** Dependencies of a reader. */
export interface ReaderParts {
  readonly now: () => number;
  readonly arrivalBy: ArrivalBy;
  readonly intake: Intake;
  readonly maxBodyBytes: number;
  /** The operator's key, which no event may hold; null if there is none. */
  readonly operatorKey: string | null;
  /** Called when the source of a request to a channel could not be verified. */
  readonly rejected: (channel: IngestChannel, at: number) => void;
}

/** Reads requests; made with ingest, and kept as long. */
export class Reader {
  readonly #parts: ReaderParts;
  readonly #holdsCredential: HoldsCredential;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#holdsCredential = credentialFinder(parts.operatorKey);
  }

  /**
   * Returns a text if the provider sent a challenge to verify the address: the text answers it, and there is no event.
   *
   * @throws Problem (as a rejection) if the body is too large, its source cannot be verified, or it cannot be read.
   */
  async read(
    call: IngestCall,
    channel: IngestChannel,
    traceparent: string | null,
  ): Promise<Incoming | string> {
    const { intake, maxBodyBytes } = this.#parts;
    const body = await intake.take(call, channel.project, maxBodyBytes);
    const headers = call.rawHeaders();
    const { name, settings } = channel.source;
    const at = this.#parts.now();
    if (!verifySource(name, { headers, body, now: at }, settings).ok) {
      this.#parts.rejected(channel, at);
      throw new Problem('signature_invalid', 'the source of the request could not be verified');
    }
    const challenge = challengeOf(name, body);
    if (challenge !== null) return challenge;
    const key = idempotencyKeyOf(channel, headers, body);
    const { path, query } = targetOf(call.request.url);
    const request = { method: call.request.method, path, query, headers, body };
    return { event: await this.#eventOf(request, channel, { at, traceparent }), key };
  }

  /** Makes the event of a request whose source is known, or does not matter. */
  async readTrusted(
    { headers, body }: Pick<InboundRequest, 'headers' | 'body'>,
    channel: IngestChannel,
    traceparent: string | null,
  ): Promise<PersistedEvent> {
    const request = { method: 'POST', path: `/in/${channel.address}`, query: '', headers, body };
    return this.#eventOf(request, channel, { at: this.#parts.now(), traceparent });
  }

  async #eventOf(
    request: InboundRequest,
    channel: IngestChannel,
    { at, traceparent }: { readonly at: number; readonly traceparent: string | null },
  ): Promise<PersistedEvent> {
    const { intake, arrivalBy } = this.#parts;
    const size = request.body.byteLength;
    const received = await intake.inTurn(channel.project, size, () =>
      receivedOf(request, channel, this.#holdsCredential),
    );
    intake.countTokens(channel.project, received.tokens, size);
    const described = describedBy(channel, request.headers, received.data);
    return { ...arrivalBy(channel, at, traceparent), ...contentOf(described, received) };
  }
}

/** @throws Problem for a body that cannot be read. */
function receivedOf(
  request: InboundRequest,
  channel: IngestChannel,
  holdsCredential: HoldsCredential,
): Received {
  const { name, settings } = channel.source;
  const spelled = request.path.slice(request.path.lastIndexOf('/') + 1);
  const read = readRequest(request, {
    headers: secretHeadersOf(name, settings),
    holdsCredential,
    address: spelled === channel.address ? [spelled] : [spelled, channel.address],
    id: channel.id,
  });
  if (!read.ok) throw new Problem(read.failure.code, read.failure.message);
  return read.value;
}

const contentOf = ({ topic, orderingKey }: Described, { data, rawPayload }: Received) => ({
  type: WEBHOOK_RECEIVED,
  topic: topic ?? WEBHOOK_RECEIVED,
  ...{ data, rawPayload, givenTags: null, orderingKey },
});

/** The parts of an absolute URL without a fragment. `new URL` takes several times as long. */
function targetOf(url: string): { readonly path: string; readonly query: string } {
  const from = url.indexOf('/', url.indexOf('//') + 2);
  const mark = url.indexOf('?', from);
  return mark < 0
    ? { path: url.slice(from), query: '' }
    : { path: url.slice(from, mark), query: url.slice(mark + 1) };
}
