/** Ingest: from a request to an event on the disk. */
import { bind, type BoundRoute } from '../api/route.js';
import { type Database, DatabaseUnavailable } from '../db/index.js';
import { Problem } from '../errors/problem.js';
import { createLedger } from '../limits/ledger.js';
import { overloaded } from '../limits/memory.js';
import type { IngestChannel } from '../sources/index.js';
import { assertMayIngest } from './admission.js';
import { createAvailability } from './availability.js';
import { type BodyLimits, type IngestCall, Reader } from './reading.js';
import { createRejections } from './rejections.js';
import { ingest } from './routes.js';
import { createStoring, type Decide, MAX_BATCH } from './storing.js';

/** Metrics of ingest. */
export interface IngestMetrics {
  ingested(result: string): void;
  committed(events: number, ms: number): void;
  storeFailed(module: string): void;
}

/** Dependencies of ingest. */
export interface IngestParts {
  readonly db: Database;
  readonly now: () => number;
  readonly channels: { find(addressOrId: string): Promise<IngestChannel | null> };
  readonly decide: Decide;
  readonly metrics: IngestMetrics;
  readonly report: (error: unknown, about: string) => void;
  /** The operator's key, which no event may hold; null if there is none. */
  readonly operatorKey: string | null;
  readonly limits?: Partial<IngestLimits>;
}

/** Limits that a host may set. */
export interface IngestLimits extends BodyLimits {
  /** Requests in the process; one project may have half of them. */
  readonly requests: number;
}

const DEFAULTS: IngestLimits = {
  requests: 2_000,
  bytesPerSecond: 8_388_608,
  maxBodyBytes: 1_048_576,
};
/** While this many events wait to be stored, other work gives way. */
const PRESSED = MAX_BATCH / 2;

/** Ingest, with its route. */
export interface Ingest {
  /** Whether more comes in than can be stored at once. */
  isPressed(): boolean;
  /** Stores the events that were let in. */
  stop(): Promise<void>;
  readonly routes: readonly BoundRoute[];
}

export function createIngest(parts: IngestParts): Ingest {
  const { db, now, channels, decide, metrics, report, operatorKey } = parts;
  const limits = { ...DEFAULTS, ...parts.limits };
  const requests = createLedger(limits.requests);
  const rejections = createRejections(db, (error) => report(error, 'counting rejected requests'));
  const reader = new Reader({ now, limits, operatorKey, rejected: rejections.count });
  const availability = createAvailability(
    () => db.ping(),
    (error) => storing.rejectWaiting(error),
  );
  const failed = (error: unknown): void => {
    if (error instanceof DatabaseUnavailable) metrics.storeFailed('ingest');
    availability.failed(error);
  };
  const storing = createStoring({ db, now, decide, committed: metrics.committed, failed });

  const findChannel = (name: string): Promise<IngestChannel | null> =>
    channels.find(name).catch((error: unknown) => {
      failed(error);
      throw error;
    });
  const take = async (call: IngestCall) => {
    availability.assertThere();
    const channel = await findChannel(call.params.channel);
    assertMayIngest(call.params.channel, channel, call.principal);
    const entered = requests.take(channel.project, 1);
    if (entered === null) throw overloaded('more comes in than can be stored; try again');
    try {
      const incoming = await reader.read(call, channel);
      if (typeof incoming === 'string') return challengeAnswer(incoming);
      availability.assertThere();
      const bytes = incoming.event.data.length + (incoming.event.rawPayload?.length ?? 0);
      const result = await storing.add(channel.project, incoming, bytes);
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
    isPressed: () => storing.size >= PRESSED,
    async stop() {
      availability.stop();
      await storing.idle();
      await rejections.stop();
    },
    routes: [bind({ ...ingest, maxBytes: limits.maxBodyBytes }, counted)],
  };
}

const codeOf = (error: unknown): string =>
  error instanceof DatabaseUnavailable ? 'store_unavailable' : 'internal_error';

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
