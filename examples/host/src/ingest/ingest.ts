/** Ingest: from a request to an event on the disk. */
import { bind, type BoundRoute } from '../api/route.js';
import { type Database, DatabaseUnavailable } from '../db/index.js';
import { Problem } from '../errors/problem.js';
import { keepTrace, type Traced } from '../http/trace.js';
import { createLedger } from '../limits/ledger.js';
import { overloaded } from '../limits/memory.js';
import type { IngestChannel } from '../sources/index.js';
import { assertMayIngest } from './admission.js';
import { type ArrivalChannel, createArrivals } from './arrival.js';
import { createAvailability } from './availability.js';
import { type BodyLimits, Intake } from './intake.js';
import type { Persisted } from './persist.js';
import { type PublishingParts, publishingRoutes } from './publishing.js';
import { type Incoming, type IngestCall, Reader } from './reading.js';
import { createRejections } from './rejections.js';
import { ingest } from './routes.js';
import { type SampleParts, sampleRoutes } from './samples.js';
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
  readonly channels: {
    find(addressOrId: string): Promise<IngestChannel | null>;
    /**
     * The channel by which a project publishes: the one of this id, or its first. Null if there is none of type `api`.
     */
    apiChannel(project: string, id: string | null): Promise<ArrivalChannel | null>;
  };
  /** Checks the data of an event that is published. Rejects with a Problem. */
  readonly assertValid: PublishingParts['assertValid'];
  readonly decide: Decide;
  /** @defaultValue {@link keepTrace} */
  readonly traced?: Traced;
  readonly metrics: IngestMetrics;
  /** Called when the source of a request could not be verified. */
  readonly rejected?: (channel: IngestChannel) => void;
  /** Called when a project sends more bytes than it may. */
  readonly limited?: (project: string, bytesPerSecond: number) => void;
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
  const { db, now, channels, decide, metrics, report, operatorKey, traced = keepTrace } = parts;
  const rejections = createRejections(db, (error) => report(error, 'counting rejected requests'));
  const { maxBodyBytes, bytesPerSecond, requests } = { ...DEFAULTS, ...parts.limits };
  const intake = new Intake(now, bytesPerSecond, (project) => parts.limited?.(project, bytesPerSecond));
  const rejected = (channel: IngestChannel, at: number): void => {
    rejections.count(channel.id, at);
    parts.rejected?.(channel);
  };
  const arrivalBy = createArrivals();
  const reader = new Reader({ now, arrivalBy, intake, maxBodyBytes, operatorKey, rejected });
  const availability = createAvailability(
    () => db.ping(),
    (error) => storing.rejectWaiting(error),
  );
  const failed = (error: unknown): void => {
    if (error instanceof DatabaseUnavailable) metrics.storeFailed('ingest');
    availability.failed(error);
  };
  const storing = createStoring({ db, now, decide, committed: metrics.committed, failed });
  const found = <Channel>(finding: Promise<Channel>): Promise<Channel> =>
    finding.catch((error: unknown) => {
      failed(error);
      throw error;
    });
  const enter = entering(requests);
  const store = async (incoming: Incoming): Promise<Stored> => {
    const { project, data, rawPayload } = incoming.event;
    availability.assertThere();
    const result = await storing.add(project, incoming, data.length + (rawPayload?.length ?? 0));
    if (result === 'idempotency_conflict') throw conflict();
    metrics.ingested(result.duplicate ? 'duplicate' : 'accepted');
    return result;
  };
  const counted = counting(metrics);
  const publishing = {
    ...{ now, arrivalBy, intake, enter, store, traced, counted, maxDataBytes: maxBodyBytes },
    apiChannel: (project: string, id: string | null) => found(channels.apiChannel(project, id)),
    assertValid: (project: string, type: string, data: string) =>
      found(parts.assertValid(project, type, data)),
  };
  const find = (addressOrId: string) => found(channels.find(addressOrId));
  const take = taking({ ...publishing, find, reader, assertThere: () => availability.assertThere() });
  return {
    isPressed: () => storing.size >= PRESSED,
    async stop() {
      availability.stop();
      await storing.idle();
      await rejections.stop();
    },
    routes: [
      bind({ ...ingest, maxBytes: maxBodyBytes }, counted(take)),
      ...publishingRoutes(publishing),
      ...sampleRoutes({ ...publishing, find, reader }),
    ],
  };
}

/** Dependencies of {@link taking}. */
interface TakingParts extends Pick<SampleParts, 'find' | 'reader' | 'enter' | 'traced' | 'store'> {
  readonly assertThere: () => void;
}

/** Takes what senders send to channels. */
const taking =
  ({ find, reader, enter, traced, store, assertThere }: TakingParts) =>
  (call: IngestCall): Promise<Stored | Response> =>
    traced(call.headers, async (traceparent) => {
      assertThere();
      const channel = await find(call.params.channel);
      assertMayIngest(call.params.channel, channel, call.principal);
      return enter(channel.project, 1, async () => {
        const incoming = await reader.read(call, channel, traceparent);
        return typeof incoming === 'string' ? challengeAnswer(incoming) : store(incoming);
      });
    });

/** Lets events in while there is room for them in the process. */
function entering(most: number): PublishingParts['enter'] {
  const requests = createLedger(most);
  return async (project, events, work) => {
    const entered = requests.take(project, events);
    if (entered === null) throw overloaded('more comes in than can be stored; try again');
    try {
      return await work();
    } finally {
      entered.close();
    }
  };
}

/** Counts the requests that a function refuses. */
const counting =
  ({ ingested }: IngestMetrics): PublishingParts['counted'] =>
  (answer) =>
  async (asked) => {
    try {
      return await answer(asked);
    } catch (error) {
      ingested(error instanceof Problem ? error.code : codeOf(error));
      throw error;
    }
  };

/** An event that is on the disk. */
type Stored = Exclude<Persisted, string>;

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
