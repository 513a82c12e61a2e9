/** Publishes events, one or many at a time. */
import { OptionError } from '../errors.js';
import { type Answered, type Asked, attempts, isTemporary, pauseBefore } from './attempts.js';
import { type PublisherOptions, readOptions, type Settings } from './options.js';
import { PublisherError, type PublisherErrorCode } from './publisher-error.js';

/** An event to publish. */
export interface PublishEvent<Type extends string = string, Data extends object = object> {
  /** Says what happened, such as `invoice.paid`. Endpoints subscribe to it. */
  readonly type: Type;
  /** At most 1 MiB as JSON. */
  readonly data: Data;
  /** Up to 50 tags. */
  readonly tags?: readonly string[] | undefined;
  /**
   * 1 to 256 characters, such as the id of an order: endpoints with `ordering: "key"` get the events of a key one at a
   * time, in the order of the project's log.
   */
  readonly ordering_key?: string | undefined;
  /**
   * Names the event, 1 to 255 characters: within 24 hours, a key makes no second event. Give your own, such as the id
   * of a row, if your process may end before it knows the answer.
   * @defaultValue a random UUID, which all attempts of a call share
   */
  readonly idempotencyKey?: string | undefined;
}

/** An event that is on the disk of the host. */
export interface PublishedEvent {
  /** Such as `evt_01J9Z2…`. */
  readonly id: string;
  /** True if an earlier call has published it. */
  readonly duplicate: boolean;
}

/** The result for one event of many. */
export type PublishResult =
  ({ readonly ok: true } & PublishedEvent) | { readonly ok: false; readonly error: PublisherError };

/** Options of a call. */
export interface PublishOptions {
  /** Ends the call, which then throws `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The trace that the events belong to, as a `traceparent` of W3C Trace Context; their deliveries carry it on. An
   * instrumented `fetch` sets it itself.
   */
  readonly traceparent?: string | null | undefined;
}

/** The events of a type map, such as `{ 'invoice.paid': { id: string } }`. */
export type EventOf<Events extends object> = {
  [Type in keyof Events & string]: PublishEvent<Type, Events[Type] & object>;
}[keyof Events & string];

/** Publishes the events of a project. It holds no connection and needs no end. */
export interface Publisher<Events extends object = Record<string, object>> {
  /**
   * Publishes an event. Resolves once it is on the disk of the host. If an attempt fails, it is repeated with the same
   * idempotency key, so that the event is stored once.
   *
   * @throws {@link PublisherError} if the event is refused, or every attempt has failed.
   */
  publish<Type extends keyof Events & string>(
    event: PublishEvent<Type, Events[Type] & object>,
    options?: PublishOptions,
  ): Promise<PublishedEvent>;
  /**
   * Publishes any number of events, up to 100 in a request, one request after the other.
   *
   * @returns A result for each, in the order given. An event that is refused does not hold back the others.
   */
  publishMany(
    events: readonly EventOf<Events>[],
    options?: PublishOptions,
  ): Promise<readonly PublishResult[]>;
}

/**
 * Makes a publisher.
 *
 * @example
 * ```ts no-run: needs a host
 * import { createPublisher } from 'headgate/publisher';
 *
 * interface Events {
 *   'invoice.paid': { id: string; amount: number };
 *   'user.created': { id: string };
 * }
 * const publisher = createPublisher<Events>({
 *   url: 'https://hooks.example.com',
 *   project: '0192f0c1-7b3a-7c52-9d41-0f6a3c2b1e00',
 *   key: process.env.HEADGATE_KEY ?? '',
 * });
 * const { id } = await publisher.publish({ type: 'invoice.paid', data: { id: 'in_42', amount: 120 } });
 * ```
 * @throws {@link OptionError} `invalid_option`, naming every option that is unknown or cannot work.
 */
export function createPublisher<Events extends object = Record<string, object>>(
  options: PublisherOptions,
): Publisher<Events> {
  const settings = readOptions(options);
  return {
    async publish(event, callOptions) {
      const { signal, headers } = readCallOptions('publish', callOptions);
      const named = nameEvent(event, settings);
      const answered = await attempts(settings, {
        ...{ path: '', body: named.json, signal },
        headers: { ...headers, 'idempotency-key': named.key },
      });
      const result = answered.kind === 'answer' ? resultOf(answered, named) : failed(answered, named);
      if (!result.ok) throw result.error;
      return { id: result.id, duplicate: result.duplicate };
    },
    async publishMany(events, callOptions) {
      const call = readCallOptions('publishMany', callOptions);
      const results: PublishResult[] = [];
      for (const batch of batchesOf(events.map((event) => nameEvent(event, settings)))) {
        results.push(...(await publishBatch(settings, batch, call)));
      }
      return results;
    },
  };
}

/** The parts of a request that the options of a call give. */
type CallOptions = Pick<Asked, 'signal' | 'headers'>;

function readCallOptions(call: string, options: PublishOptions = {}): CallOptions {
  const { signal, traceparent, ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new OptionError('invalid_option', `${call} has no option ${unknown}: give signal or traceparent`);
  }
  if (traceparent === undefined || traceparent === null) return { signal };
  if (/^[\da-f-]{55}$/.test(traceparent)) return { signal, headers: { traceparent } };
  throw new OptionError(
    'invalid_option',
    'traceparent: give 55 characters of W3C Trace Context, or leave it out',
  );
}

/** An event with its key, as JSON. */
interface NamedEvent {
  readonly key: string;
  /** Without the key, which a request of its own has in a header. */
  readonly json: string;
}

/** @throws {@link PublisherError} `invalid_event` for data that is not JSON, or a key that no header can hold. */
function nameEvent(event: PublishEvent, { channel }: Settings): NamedEvent {
  const { idempotencyKey: key = crypto.randomUUID(), type, data, tags, ordering_key } = event;
  const invalid = (message: string, cause?: unknown): PublisherError =>
    new PublisherError('invalid_event', message, { idempotencyKey: key, status: null, issues: [], cause });
  if (!/^[!-~]{1,255}$/.test(key)) throw invalid('idempotencyKey: give 1 to 255 visible ASCII characters');
  try {
    return { key, json: JSON.stringify({ type, data, tags, ordering_key, channel_id: channel }) };
  } catch (cause) {
    throw invalid(`data cannot be written as JSON: ${cause instanceof Error ? cause.message : ''}`, cause);
  }
}

/** Most events of a request, and about the most bytes: the host takes 5 MiB. */
const MAX_EVENTS = 100;
const MAX_BYTES = 4_194_304;

function batchesOf(events: readonly NamedEvent[]): readonly (readonly NamedEvent[])[] {
  const batches: NamedEvent[][] = [];
  let bytes = Infinity;
  for (const event of events) {
    // A UTF-16 unit is at most three bytes of UTF-8.
    const size = 3 * event.json.length;
    const last = batches.at(-1);
    if (last === undefined || last.length === MAX_EVENTS || bytes + size > MAX_BYTES) {
      batches.push([event]);
      bytes = size;
    } else {
      last.push(event);
      bytes += size;
    }
  }
  return batches;
}

/** Publishes the events of one request. Those that the host could not take are tried again, without the others. */
async function publishBatch(
  settings: Settings,
  batch: readonly NamedEvent[],
  call: CallOptions,
): Promise<readonly PublishResult[]> {
  const results = new Map<NamedEvent, PublishResult>();
  let left = batch;
  for (let round = 1; left.length > 0; round++) {
    const answered = await attempts(settings, { path: '/batch', body: bodyOf(left), ...call });
    const answers = answersIn(answered);
    left.forEach((event, i) => results.set(event, resultIn(answered, answers[i], event)));
    const mayAgain = round < settings.maxAttempts && call.signal?.aborted !== true;
    left = mayAgain ? left.filter((_, i) => isTemporary(answers[i]?.status ?? 0)) : [];
    if (left.length > 0) await pauseBefore(round + 1, call.signal);
  }
  return batch.map((event) => results.get(event) as PublishResult);
}

const bodyOf = (events: readonly NamedEvent[]): string => {
  const named = events.map(
    ({ key, json }) => `${json.slice(0, -1)},"idempotency_key":${JSON.stringify(key)}}`,
  );
  return `{"events":[${named.join(',')}]}`;
};

/** @param answer - To the event alone; left out if the request as a whole was answered. */
const resultIn = (answered: Answered, answer: EventAnswer | undefined, event: NamedEvent): PublishResult => {
  if (answer !== undefined) return resultOf(answer, event);
  return answered.kind === 'answer' ? resultOf(answered, event) : failed(answered, event);
};

/** An answer to one event. */
interface EventAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The answer to each event of a batch; none if the batch as a whole was refused. */
function answersIn(answered: Answered): readonly EventAnswer[] {
  if (answered.kind !== 'answer' || answered.status >= 300) return [];
  const { results } = Object(answered.body) as { readonly results?: unknown };
  if (!Array.isArray(results)) return [];
  return results.map((result: unknown) => {
    const { problem } = Object(result) as { readonly problem?: { readonly status?: unknown } };
    return problem === undefined
      ? { status: answered.status, body: result }
      : { status: Number(problem.status ?? 500), body: problem };
  });
}

/** The result that an answer tells; an answer that is not from a host is a failure. */
function resultOf({ status, body }: EventAnswer, { key }: NamedEvent): PublishResult {
  const { id, duplicate, detail, code, issues } = Object(body) as Readonly<Record<string, unknown>>;
  if (status < 300 && typeof id === 'string') return { ok: true, id, duplicate: duplicate === true };
  const details = {
    idempotencyKey: key,
    status,
    issues: Array.isArray(issues) ? (issues as PublisherError['issues']) : [],
  };
  const message = typeof detail === 'string' ? detail : `the host answered with ${status}`;
  return { ok: false, error: new PublisherError(codeOf(status, code), message, details) };
}

function codeOf(status: number, code: unknown): PublisherErrorCode {
  if (code === 'idempotency_conflict') return code;
  // Nothing under this address, or a redirect, may be an address that is wrong.
  if (status === 401 || status === 403 || status === 404 || (status >= 300 && status < 400)) {
    return 'unauthorized';
  }
  return status >= 400 && !isTemporary(status) ? 'invalid_event' : 'unavailable';
}

function failed(answered: Exclude<Answered, { kind: 'answer' }>, { key }: NamedEvent): PublishResult {
  const { kind, cause } = answered;
  const status = answered.kind === 'failed' ? answered.status : null;
  const why = status === null ? 'nobody answered' : `the host answered with ${status}`;
  const message =
    kind === 'aborted' ? 'the signal fired before the event was stored' : `every attempt failed: ${why}`;
  const code = kind === 'aborted' ? 'aborted' : 'unavailable';
  const details = { idempotencyKey: key, status, issues: [], cause };
  return {
    ok: false,
    error: new PublisherError(code, `${message}; publish it again with its idempotencyKey`, details),
  };
}
