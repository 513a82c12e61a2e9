/** From the JSON of an event that is published to the event as it is stored; its `data` stays as it is written. */
import { createHash } from 'node:crypto';
import { JsonError } from 'headgate';
import type { z } from 'zod';
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
  const { value, text, tokens } = readVerbatim(published, 'data', json, maxBytes);
  const { data: _, ...members } = value;
  return { members, data: text, tokens };
}

/** A document with a member whose text is kept. */
export interface Verbatim<Value> {
  /** The document, in which an empty object stands for the member. */
  readonly value: Value;
  /** The text of the member. */
  readonly text: string;
  /** Names, values and brackets of the document. */
  readonly tokens: number;
}

/**
 * Reads a document and keeps the text of one member, an object of any depth.
 *
 * @param maxBytes - Most bytes of the member.
 * @throws Problem `invalid_json`, `invalid_request`, `body_too_large`
 */
export function readVerbatim<Schema extends z.ZodType>(
  schema: Schema,
  member: string,
  json: string,
  maxBytes: number,
): Verbatim<z.output<Schema>> {
  const { text: read, tokens } = readingJson(() => readJson(json));
  const document = read.trim();
  const parts = new Map((jsonParts(document, '{') ?? []).map(({ name, text }) => [name, text]));
  const text = parts.get(member) ?? 'null';
  if (document.length - text.length > MAX_REST_UNITS) {
    throw new Problem(
      'body_too_large',
      `the members beside ${member} have more than ${MAX_REST_UNITS} characters`,
    );
  }
  // The member is never made into a value, however deep it is: that it is an object is all there is to know.
  const members = Object.fromEntries(
    [...parts].map(([name, part]) => [name, name === member ? standIn(part) : (JSON.parse(part) as unknown)]),
  );
  const value = validated(schema, document.startsWith('{') ? members : null, 'body');
  if (Buffer.byteLength(text) > maxBytes) {
    throw new Problem('body_too_large', `${member} has more than ${maxBytes} bytes`);
  }
  return { value, text, tokens };
}

const standIn = (value: string): object | null => (value.startsWith('{') ? {} : null);

/** @throws Problem `invalid_json` for bytes that are not UTF-8. */
export function decoded(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new Problem('invalid_json', 'the body is not JSON in UTF-8');
  }
}

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
