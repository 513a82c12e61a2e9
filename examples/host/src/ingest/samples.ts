/** Samples: events that people send through a channel to try it. */
import { bind, type BoundRoute, type Call } from '../api/route.js';
import { assertJsonType } from '../api/validation.js';
import { notFound, Problem } from '../errors/problem.js';
import type { IngestChannel } from '../sources/index.js';
import type { PersistedEvent } from '../stored/event-json.js';
import { decoded, eventOf, MAX_REST_UNITS, readVerbatim, type Verbatim } from './published.js';
import type { PublishingParts } from './publishing.js';
import type { Reader } from './reading.js';
import { sample, type Sample, sendSample } from './routes.js';

/** Dependencies of samples. */
export interface SampleParts extends Pick<
  PublishingParts,
  'now' | 'arrivalBy' | 'intake' | 'maxDataBytes' | 'assertValid' | 'enter' | 'traced' | 'store' | 'counted'
> {
  readonly find: (id: string) => Promise<IngestChannel | null>;
  readonly reader: Reader;
}

/** The tag by which people and rules tell samples from other events. */
const TAG = 'sample';

export function sampleRoutes(parts: SampleParts): readonly BoundRoute[] {
  const { intake, maxDataBytes, enter, traced, counted, store } = parts;
  const maxBytes = maxDataBytes + MAX_REST_UNITS;
  const take = async (call: Call<typeof sendSample>, traceparent: string | null) => {
    const { project } = call.params;
    assertJsonType(call.headers);
    const channel = await parts.find(call.params.channel);
    if (channel?.project !== project) throw notFound('channel');
    return enter(project, 1, async () => {
      const json = decoded(await intake.take(call, project, maxBytes));
      const read = await intake.inTurn(project, json.length, () =>
        readVerbatim(sample, 'payload', json, maxDataBytes),
      );
      const eventIn = { webhook: requestIn, api: publishedIn }[channel.type];
      const event = await eventIn(parts, channel, read, traceparent);
      return store({ event: { ...event, givenTags: JSON.stringify([TAG]) }, key: null });
    });
  };
  return [
    bind(
      { ...sendSample, maxBytes },
      counted((call) => traced(call.headers, (traceparent) => take(call, traceparent))),
    ),
  ];
}

type EventIn = (
  parts: SampleParts,
  channel: IngestChannel,
  read: Verbatim<Sample>,
  traceparent: string | null,
) => Promise<PersistedEvent>;

const requestIn: EventIn = async ({ reader }, channel, { value, text }, traceparent) => {
  if (value.type !== undefined) {
    throw misplaced('/type', 'the payload says it in a channel of type webhook: leave it out');
  }
  const headers = Object.entries({ 'content-type': 'application/json', ...value.headers });
  return reader.readTrusted({ headers, body: Buffer.from(text) }, channel, traceparent);
};

const publishedIn: EventIn = async (
  parts,
  channel,
  { value: { type, headers }, text, tokens },
  traceparent,
) => {
  if (headers !== undefined) {
    throw misplaced('/headers', 'events that are published have none: leave them out');
  }
  if (type === undefined) throw misplaced('/type', 'an event of a channel of type api has one');
  parts.intake.countTokens(channel.project, tokens, text.length);
  await parts.assertValid(channel.project, type, text);
  return eventOf(
    { members: { type }, data: text, tokens },
    parts.arrivalBy(channel, parts.now(), traceparent),
  );
};

const misplaced = (pointer: string, message: string): Problem =>
  new Problem('invalid_request', `the body is not as described: ${pointer} ${message}`, {
    issues: [{ code: 'invalid_value', pointer, message }],
  });
