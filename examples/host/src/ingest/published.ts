/** From the JSON of an event that is published to the event as it is stored. */
import { createHash } from 'node:crypto';
import { JsonError } from 'headgate';
import { validated } from '../api/validation.js';
import { Problem } from '../errors/problem.js';
import { jsonParts } from '../http/json-parts.js';
import { readJson } from '../http/read-json.js';
import type { PersistedEvent } from '../stored/event-json.js';
import type { Arrival } from './arrival.js';
import { type Published, published } from './routes.js';

/** Most UTF-16 units of an event beside its `data`. */
export const MAX_REST_UNITS = 65_536;

/** An event that its sender has named. */
export interface ReadEvent {
  /** Without `data`. */
  readonly members: Omit<Published, 'data'>;
  /** The text of `data`, as it was sent. */
  readonly data: string;
  /** Names, values and brackets. */
  readonly tokens: number;
}

/**
 * Reads an event, whose `data` is kept letter by letter, unless a name repeats.
 *
 * @param maxBytes - Most bytes of `data`.
 * @throws Problem `invalid_json`, `invalid_request`, `body_too_large`
 */
export function readPublished(json: string, maxBytes: number): ReadEvent {
  const { text: read, tokens } = readingJson(() => readJson(json));
  const text = read.trim();
  const parts = new Map((jsonParts(text, '{') ?? []).map(({ name, text: value }) => [name, value]));
  const data = parts.get('data') ?? 'null';
  if (text.length - data.length > MAX_REST_UNITS) {
    throw new Problem(
      'body_too_large',
      `the members beside data have more than ${MAX_REST_UNITS} characters`,
    );
  }
  // Data of any depth is never made into a value: that it is an object is all there is to know.
  const members = Object.fromEntries(
    [...parts].map(([name, value]) => [
      name,
      name === 'data' ? standIn(value) : (JSON.parse(value) as unknown),
    ]),
  );
  const { data: _, ...valid } = validated(published, text.startsWith('{') ? members : null, 'body');
  if (Buffer.byteLength(data) > maxBytes) {
    throw new Problem('body_too_large', `data has more than ${maxBytes} bytes`);
  }
  return { members: valid, data, tokens };
}

const standIn = (value: string): object | null => (value.startsWith('{') ? {} : null);

/**
 * Runs a reader of JSON.
 *
 * @throws Problem `invalid_json` for text that is not JSON.
 */
export function readingJson<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Problem('invalid_json', error.message.replace('this', 'the body'));
  }
}

/** A digest of an event: a request that repeats it has the same, however its members are ordered. */
export const digestOf = ({ members: { type, tags, ordering_key: key }, data }: ReadEvent): string =>
  createHash('sha256')
    .update(JSON.stringify([type, tags, key]))
    .update(data)
    .digest('base64url');

/** The event as it is stored. */
export const eventOf = (
  { members: { type, tags, ordering_key: key }, data }: ReadEvent,
  arrival: Arrival,
): PersistedEvent => ({
  ...arrival,
  ...{ type, topic: type, data, rawPayload: null },
  givenTags: tags === undefined || tags.length === 0 ? null : JSON.stringify(tags),
  orderingKey: key ?? null,
});
