/** The topic of a webhook, which says what happened as its provider names it, and its ordering key. */
import { createHash } from 'node:crypto';
import { validateRuleDocument } from 'headgate';
import type { HeaderPairs } from '../http/headers.js';
import { scalarAt, stringAt } from '../http/json-parts.js';

/** A request whose source was verified, and whose body was read. */
export interface ReadRequest {
  readonly headers: HeaderPairs;
  /** The string at a path of names from `data` on; null if there is no such string. */
  readonly at: (...names: readonly string[]) => string | null;
}

/** The name of what happened; null if the request has none. */
export type TopicOf = (request: ReadRequest) => string | null;

/** The member that most providers have. */
export const typeInBody: TopicOf = ({ at }) => at('body', 'type');

/** Most code points of a topic. */
const MAX_TOPIC = 128;

/**
 * The topic of a request.
 *
 * @param path - The path that the channel has set, instead of what its source says; null if it has set none.
 * @param data - JSON text of the event's `data`.
 * @returns Null if there is no string of 1 to 128 code points.
 */
export function topicIn(
  topicOf: TopicOf,
  path: string | null,
  headers: HeaderPairs,
  data: string,
): string | null {
  const topic =
    path === null
      ? topicOf({ headers, at: (...names) => stringAt(data, names) })
      : stringAt(data, namesOf(path).slice(1));
  return topic !== null && isTopic(topic) && isStorable(topic) ? topic : null;
}

/** Longest ordering key of the library, in UTF-16 units. */
const MAX_KEY = 256;

/**
 * The ordering key of a request: the string or the number at a path, as it is written. One that is too long, or cannot
 * be stored, is replaced by its hash.
 *
 * @param data - JSON text of the event's `data`.
 */
export function orderingKeyIn(path: string, data: string): string | null {
  const key = scalarAt(data, namesOf(path).slice(1));
  if (key === null || key === '') return null;
  return key.length <= MAX_KEY && isStorable(key)
    ? key
    : `hash:${createHash('sha256').update(key).digest('base64url')}`;
}

/**
 * Whether every database can store a text. One that cannot would keep other events of its transaction from being
 * stored.
 */
const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Cs}/u.test(text);

/** Whether a text may be a topic. A text that has more units than that many code points can have is not counted. */
const isTopic = (text: string): boolean =>
  text !== '' && text.length <= 2 * MAX_TOPIC && [...text].length <= MAX_TOPIC;

/** The segments of a path of rules, as they are written. */
const segmentsOf = (path: string): readonly string[] => path.match(/(?:\\.|[^.\\])+/gs) ?? [];

/** The names in a path of rules, without their escapes. */
const namesOf = (path: string): readonly string[] =>
  segmentsOf(path).map((name) => name.replaceAll(/\\(.)/gs, '$1'));

const RULE = { name: 'path', stage: 'deliver', action: { type: 'drop' }, priority: 0 } as const;

/** Says what is wrong with a path that a channel sets; null for a good one. */
export function channelPathProblem(path: string): string | null {
  const result = validateRuleDocument({ ...RULE, match: { path, op: 'exists' } });
  if (!result.ok) return result.issues[0]?.message ?? 'not a path';
  if (segmentsOf(path).includes('*')) {
    return 'it names one value, and * stands for many: write an index, such as data.body.items.0.id';
  }
  return namesOf(path)[0] === 'data' && namesOf(path).length > 1
    ? null
    : 'it is read from data: write a path such as data.body.event';
}
