/** Ingest: from a request to an event on the disk. */
import { createHash } from 'node:crypto';
import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import type { Principal } from '../api/principal.js';
import { bind, type BoundRoute, type Call } from '../api/route.js';
import { type Database, DatabaseUnavailable } from '../db/index.js';
import type { PersistedEvent } from '../events/event-json.js';
import { type HeaderPairs, headerValues } from '../ground/headers.js';
import { isUuid, newEventId, timeOfEventId } from '../ground/ids.js';
import { notFound, Problem } from '../ground/problem.js';
import { createTurns } from '../ground/turns.js';
import { createByteRate } from '../limits/byte-rate.js';
import { createLedger } from '../limits/ledger.js';
import { overloaded } from '../limits/memory.js';
import { credentialFinder, type HoldsCredential } from '../secrets/credentials.js';
import {
  challengeOf,
  deliveryIdOf,
  secretHeadersOf,
  type SourceName,
  type SourceSettings,
  verifySource,
} from '../sources/index.js';
import { createAvailability } from './availability.js';
import { readRequest, type Received } from './body.js';
import { createGroupCommit } from './group-commit.js';
import { type IdempotencyKey, type NewEvent, type Persisted, persistEvents } from './persist.js';
import { createRejections } from './rejections.js';
import { ingest } from './routes.js';

/** A channel, as ingest reads it. */
export interface IngestChannel {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly address: string;
  /** True where it was named by its address, false where by its id. */
  readonly byAddress: boolean;
  readonly source: { readonly name: SourceName; readonly settings: SourceSettings };
  readonly requiresKey: boolean;
}

/** Metrics of this room. */
export interface IngestMetrics {
  ingested(result: string): void;
  committed(events: number, ms: number): void;
  storeFailed(room: string): void;
}

/** Dependencies of this room. */
export interface IngestParts {
  readonly db: Database;
  readonly now: () => number;
  readonly channels: { find(addressOrId: string): Promise<IngestChannel | null> };
  readonly decide: {
    hasRoom(project: string, units: number): boolean;
    take(events: readonly PersistedEvent[]): void;
    /** How long nobody else decides what `take` was given. */
    readonly leaseMs: number;
  };
  readonly metrics: IngestMetrics;
  readonly report: (error: unknown, about: string) => void;
  /** The operator's key, which no event may hold; null if there is none. */
  readonly operatorKey: string | null;
  readonly limits?: Partial<IngestLimits>;
}

/** Numbers that a host may choose. */
export interface IngestLimits {
  /** Requests in the process; one project may have half of them. */
  readonly requests: number;
  /** Bytes of bodies that one project may send a second, for long; for a moment it may send those of two seconds. */
  readonly bytesPerSecond: number;
  readonly maxBodyBytes: number;
}

const DEFAULTS: IngestLimits = {
  requests: 2_000,
  bytesPerSecond: 8_388_608,
  maxBodyBytes: 1_048_576,
};
/** Two hundred events would block SQLite's event loop for too long. */
const MAX_BATCH = 50;
/** With so many that wait to be stored, other work gives way. */
const PRESSED = MAX_BATCH / 2;
const MAX_BATCH_BYTES = 4_194_304;
const COMMIT_TIMEOUT_MS = 5_000;
/** Bodies from this size on are read one in each turn of the event loop. */
const LARGE_BODY_BYTES = 65_536;
const LARGE = { atOnce: 1, ofProject: 1, waiting: Infinity, allWaiting: Infinity, of: 'large bodies' };
/** Each name, value and bracket of a JSON body counts for this many of the bytes that a project may send. */
const TOKEN_BYTES = 8;
const EVENT_TYPE = 'webhook.received';

/** The room. */
export interface Ingest {
  /** Whether more comes in than can be stored at once. */
  isPressed(): boolean;
  /** Stores what was let in. */
  stop(): Promise<void>;
  readonly routes: readonly BoundRoute[];
}

/** An event that waits to be stored. */
interface Incoming {
  readonly event: PersistedEvent;
  readonly key: IdempotencyKey | null;
}

export function createIngest(parts: IngestParts): Ingest {
  const { db, now, channels, decide, metrics, report } = parts;
  const limits = { ...DEFAULTS, ...parts.limits };
  const holdsCredential = credentialFinder(parts.operatorKey);
  const requests = createLedger(limits.requests);
  const rate = createByteRate(limits.bytesPerSecond);
  const rejections = createRejections(db, (error) => report(error, 'counting rejected requests'));
  const availability = createAvailability(
    () => db.ping(),
    (error) => commits.rejectWaiting(error),
  );
  const failed = (error: unknown): void => {
    if (error instanceof DatabaseUnavailable) metrics.storeFailed('ingest');
    availability.failed(error);
  };
  const write = async (batch: readonly Incoming[]): Promise<readonly Persisted[]> => {
    const began = now();
    const isHeld = batch.map(({ event }) => decide.hasRoom(event.project, event.data.length));
    const events = batch.map((one, i): NewEvent => ({
      ...one,
      decideAt: isHeld[i] === true ? began + decide.leaseMs : began,
    }));
    try {
      const results = await db.transaction((tx) => persistEvents(tx, events, began));
      const isNew = (i: number): boolean => {
        const result = results[i];
        return typeof result === 'object' && !result.duplicate;
      };
      metrics.committed(batch.filter((_, i) => isNew(i)).length, now() - began);
      decide.take(batch.filter((_, i) => isNew(i) && isHeld[i] === true).map(({ event }) => event));
      return results;
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  const commits = createGroupCommit<Incoming, Persisted>({
    write,
    // While one transaction is synced, the next is written.
    width: db.dialect === 'sqlite' ? 2 : 4,
    maxItems: MAX_BATCH,
    maxBytes: MAX_BATCH_BYTES,
    timeoutMs: COMMIT_TIMEOUT_MS,
    timedOut() {
      const error = new DatabaseUnavailable(new Error('a transaction takes too long'));
      failed(error);
      return error;
    },
  });

  const findChannel = async (name: string, principal: Principal | null): Promise<IngestChannel> => {
    const channel = await channels.find(name).catch((error: unknown) => {
      failed(error);
      throw error;
    });
    assertMayIngest(name, channel, principal);
    return channel;
  };
  const spend = (project: string, bytes: number): void => {
    const waitMs = rate.take(project, bytes, now());
    if (waitMs > 0) throw tooManyBytes(limits.bytesPerSecond, waitMs);
  };
  const large = createTurns(LARGE);
  /** Reads a body at once, or, if it is large, when it is its project's turn. */
  const inTurn = async (project: string, body: Uint8Array, read: () => Received): Promise<Received> => {
    if (body.byteLength < LARGE_BODY_BYTES) return read();
    return large.run(project, async () => {
      await nextLoopTurn();
      return read();
    });
  };
  /** A body whose length is announced is counted before it is read. */
  const readBody = async (call: IngestCall, project: string): Promise<Uint8Array> => {
    const announced = announcedBytes(call.headers, limits.maxBodyBytes);
    if (announced !== null) spend(project, announced);
    const body = await call.bytes(project);
    if (announced === null) spend(project, body.byteLength);
    return body;
  };
  const readEvent = async (call: IngestCall, channel: IngestChannel): Promise<Incoming | string> => {
    const body = await readBody(call, channel.project);
    const headers = call.rawHeaders();
    const { name, settings } = channel.source;
    const at = now();
    if (!verifySource(name, { headers, body, now: at }, settings).ok) {
      rejections.count(channel.id, at);
      throw new Problem('signature_invalid', 'the source of the request could not be verified');
    }
    const challenge = challengeOf(name, body);
    if (challenge !== null) return challenge;
    const key = keyOf(channel, headers, body);
    const received = await inTurn(channel.project, body, () =>
      receivedOf(call, channel, body, holdsCredential),
    );
    rate.spend(channel.project, extraCost(received, body), now());
    return { event: eventOf(channel, received, at), key };
  };
  const take = async (call: IngestCall) => {
    availability.assertThere();
    const channel = await findChannel(call.params.channel, call.principal);
    const entered = requests.take(channel.project, 1);
    if (entered === null) throw overloaded('more comes in than can be stored; try again');
    try {
      const incoming = await readEvent(call, channel);
      if (typeof incoming === 'string') return challengeAnswer(incoming);
      availability.assertThere();
      const bytes = incoming.event.data.length + (incoming.event.rawPayload?.length ?? 0);
      const result = await commits.add(channel.project, incoming, bytes);
      if (result === 'idempotency_conflict') throw conflict();
      metrics.ingested(result.duplicate ? 'duplicate' : 'accepted');
      return result;
    } finally {
      entered.close();
    }
  };
  const counted = async (call: IngestCall) => {
    try {
      return await take(call);
    } catch (error) {
      metrics.ingested(error instanceof Problem ? error.code : codeOf(error));
      throw error;
    }
  };
  return {
    isPressed: () => commits.size >= PRESSED,
    async stop() {
      availability.stop();
      await commits.idle();
      await rejections.stop();
    },
    routes: [bind({ ...ingest, maxBytes: limits.maxBodyBytes }, counted)],
  };
}

type IngestCall = Call<typeof ingest>;

const tooManyBytes = (most: number, waitMs: number): Problem =>
  new Problem(
    'too_many_requests',
    `the project sends more than ${most} bytes a second: send the request again later`,
    { retryAfter: Math.ceil(waitMs / 1_000) },
  );

const codeOf = (error: unknown): string =>
  error instanceof DatabaseUnavailable ? 'store_unavailable' : 'internal_error';

/**
 * An address opens its channel, unless that asks for a key. An id, which every delivered event has in it, needs a key.
 *
 * @throws Problem
 */
function assertMayIngest(
  name: string,
  channel: IngestChannel | null,
  principal: Principal | null,
): asserts channel is IngestChannel {
  if (channel?.byAddress === true && !channel.requiresKey) return;
  // An id tells nothing of what exists to whoever has no key.
  if (principal === null && (channel !== null || isUuid(name))) {
    throw new Problem(
      'unauthorized',
      'give a key with the scope ingest: Authorization: Bearer <key>; or send to the address of the channel',
    );
  }
  if (channel === null || principal === null) throw notFound('channel');
  const isOperator = principal.project === null;
  if (!isOperator && principal.project !== channel.project) throw notFound('channel');
  if (!isOperator && (principal.isSession || !principal.scopes.has('ingest'))) {
    throw new Problem('forbidden', 'this needs a key with the scope ingest');
  }
}

/**
 * Null where the length is not announced.
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
    // Where the clock was set back, both orders still agree.
    receivedAt: timeOfEventId(id),
    data,
    rawPayload,
  };
}

/** The parts of an absolute URL without a fragment. Parsing it takes several times as long. */
function targetOf(url: string): { readonly path: string; readonly query: string } {
  const from = url.indexOf('/', url.indexOf('//') + 2);
  const mark = url.indexOf('?', from);
  return mark < 0
    ? { path: url.slice(from), query: '' }
    : { path: url.slice(from, mark), query: url.slice(mark + 1) };
}

/** Longest key, in UTF-16 units. */
const MAX_KEY = 255;

/**
 * The key by which a repeat of the request is recognised: a delivery id that the provider signed; else the sender's
 * Idempotency-Key, which anyone who captured a request can change; else a delivery id that is not signed.
 *
 * @throws Problem `invalid_request`
 */
function keyOf(channel: IngestChannel, headers: HeaderPairs, body: Uint8Array): IdempotencyKey | null {
  const delivery = deliveryIdOf(channel.source.name, { headers, body });
  const own = delivery?.isSigned === true ? null : idempotencyKey(headers);
  const id = own === null ? delivery : null;
  const key = own !== null ? `key:${own}` : id !== null ? `delivery:${id.id}` : null;
  if (key === null) return null;
  // An id in the body names its event, however the provider prints the event the next time.
  const digest = id?.isInBody === true ? '' : createHash('sha256').update(body).digest('base64url');
  return { scope: `channel:${channel.id}`, key: shortened(key), digest };
}

/** @throws Problem `invalid_request` */
function idempotencyKey(headers: HeaderPairs): string | null {
  const [key, ...more] = headerValues(headers, 'idempotency-key');
  if (more.length > 0 || key === '' || (key?.length ?? 0) > MAX_KEY) {
    throw new Problem('invalid_request', `Idempotency-Key: give one of 1 to ${MAX_KEY} characters`);
  }
  return key ?? null;
}

/** A provider's id may have any length. */
const shortened = (key: string): string =>
  key.length <= 2 * MAX_KEY ? key : `hash:${createHash('sha256').update(key).digest('base64url')}`;

const conflict = (): Problem =>
  new Problem(
    'idempotency_conflict',
    'this idempotency key came with another body in the last 24 hours: use a new key for a new event',
  );

/** Plain text, whatever the provider asks for, so that no browser takes it for a page. */
const challengeAnswer = (text: string): Response =>
  new Response(text, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
