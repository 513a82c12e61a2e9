/** Publishing: events that the owner of a project sends by the API, one or many at a time. */
import { problemOf } from '../api/answers.js';
import { bind, type BoundRoute, type Call } from '../api/route.js';
import { assertJsonType } from '../api/validation.js';
import { Problem } from '../errors/problem.js';
import { overloaded } from '../limits/memory.js';
import type { Traced } from '../http/trace.js';
import { jsonParts } from '../http/json-parts.js';
import type { ArrivalBy, ArrivalChannel } from './arrival.js';
import type { Intake } from './intake.js';
import { keyInHeaders } from './idempotency-key.js';
import type { Persisted } from './persist.js';
import {
  decoded,
  digestOf,
  eventOf,
  MAX_REST_UNITS,
  readPublished,
  type ReadEvent,
  readingJson,
} from './published.js';
import type { Incoming } from './reading.js';
import { MAX_PUBLISHED, publishEvent, publishEvents, type PublishedResult } from './routes.js';

/** Dependencies of publishing. */
export interface PublishingParts {
  readonly now: () => number;
  readonly arrivalBy: ArrivalBy;
  readonly intake: Intake;
  /** Most bytes of the `data` of an event. */
  readonly maxDataBytes: number;
  /** The channel of this id, or the first one of the project; null if there is none of type `api`. */
  readonly apiChannel: (project: string, id: string | null) => Promise<ArrivalChannel | null>;
  /** Checks the data of an event by the schema of its type, if that is strict. Rejects with a Problem. */
  readonly assertValid: (project: string, type: string, data: string) => Promise<void>;
  /** Lets some events of a project in while `work` runs. */
  readonly enter: <T>(project: string, events: number, work: () => Promise<T>) => Promise<T>;
  readonly traced: Traced;
  readonly store: (event: Incoming) => Promise<Exclude<Persisted, string>>;
  /** Counts what a function refuses, for the metrics. */
  readonly counted: <Asked, Answer>(
    answer: (asked: Asked) => Promise<Answer>,
  ) => (asked: Asked) => Promise<Answer>;
}

const MAX_BATCH_BYTES = 5_242_880;

export function publishingRoutes(parts: PublishingParts): readonly BoundRoute[] {
  const { intake, maxDataBytes, enter, traced, counted } = parts;
  /** @param size - The size of the whole request: the events of a large one are read at their turns. */
  const read = (project: string, json: string, size: number): Promise<ReadEvent> =>
    intake.inTurn(project, size, () => {
      const event = readPublished(json, maxDataBytes);
      intake.countTokens(project, event.tokens, json.length);
      return event;
    });
  const one = async (call: Call<typeof publishEvent>, traceparent: string | null) => {
    const { project } = call.params;
    assertJsonType(call.headers);
    return enter(project, 1, async () => {
      const json = decoded(await intake.take(call, project, maxDataBytes + MAX_REST_UNITS));
      const key = keyInHeaders(call.rawHeaders());
      return publish(parts, project, await read(project, json, json.length), { key, traceparent });
    });
  };
  const many = async (call: Call<typeof publishEvents>, traceparent: string | null) => {
    const { project } = call.params;
    assertJsonType(call.headers);
    const json = decoded(await intake.take(call, project, MAX_BATCH_BYTES));
    const events = await intake.inTurn(project, json.length, () => eventsIn(json));
    return enter(project, events.length, async () => {
      const publishOne = counted(async (text: string) => {
        const event = await read(project, text, json.length);
        const key = event.members.idempotency_key ?? null;
        return publish(parts, project, event, { key, traceparent });
      });
      return { results: await Promise.all(events.map((text) => publishOne(text).catch(refused))) };
    });
  };
  return [
    bind(
      { ...publishEvent, maxBytes: maxDataBytes + MAX_REST_UNITS },
      counted((call) => traced(call.headers, (traceparent) => one(call, traceparent))),
    ),
    bind({ ...publishEvents, maxBytes: MAX_BATCH_BYTES }, (call) =>
      traced(call.headers, (traceparent) => many(call, traceparent)),
    ),
  ];
}

async function publish(
  { now, arrivalBy, apiChannel, assertValid, store }: PublishingParts,
  project: string,
  event: ReadEvent,
  { key, traceparent }: { readonly key: string | null; readonly traceparent: string | null },
): Promise<Exclude<Persisted, string>> {
  const id = event.members.channel_id ?? null;
  const channel = await apiChannel(project, id);
  if (channel === null && id === null) {
    throw overloaded('the first channel of the project is being made; try again');
  }
  if (channel === null) {
    throw new Problem('invalid_request', 'channel_id: the project has no such channel of type api', {
      issues: [{ code: 'invalid_value', pointer: '/channel_id', message: 'no channel of type api' }],
    });
  }
  await assertValid(project, event.members.type, event.data);
  return store({
    event: eventOf(event, arrivalBy(channel, now(), traceparent)),
    key: key === null ? null : { scope: `channel:${channel.id}`, key: `key:${key}`, digest: digestOf(event) },
  });
}

/** @throws Problem if the body is not a list of 1 to 100 events. */
function eventsIn(json: string): readonly string[] {
  const members = new Map((partsOf(json, '{') ?? []).map(({ name, text }) => [name, text]));
  const events = partsOf(members.get('events') ?? 'null', '[');
  if (events !== null && events.length > 0 && events.length <= MAX_PUBLISHED && members.size === 1) {
    return events.map(({ text }) => text);
  }
  throw new Problem(
    'invalid_request',
    `the body is not as described: /events give { "events": […] } with 1 to ${MAX_PUBLISHED} events`,
    { issues: [{ code: 'invalid_value', pointer: '/events', message: `1 to ${MAX_PUBLISHED} events` }] },
  );
}

const partsOf = (json: string, kind: '{' | '['): ReturnType<typeof jsonParts> =>
  readingJson(() => jsonParts(json, kind));

/** The answer to an event of a batch that was not taken. An error that nobody expected ends the whole request. */
function refused(error: unknown): PublishedResult {
  const { code, status, message, details } = problemOf(error);
  if (code === 'internal_error') throw error;
  return { problem: { code, status, detail: message, issues: [...(details.issues ?? [])] } };
}
