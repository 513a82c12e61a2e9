/**
 * The facts by which decided events are found: texts of the column `event_postings.fact`. Deciding writes them, and
 * lists look for them. Types and tags are written as JSON, so that no text breaks a column; 100 characters of a tag
 * take at most 606 bytes.
 */

import { WEBHOOK_RECEIVED } from './event-json.js';

/** The properties by which a list of events can be filtered. */
export interface FactsOfEvent {
  readonly status: 'processed' | 'dropped';
  readonly type: string;
  readonly topic: string;
  /** Id of the channel; null for an event that came in by none. */
  readonly channel: string | null;
  readonly tags: readonly string[];
  /** Ids of the rules that matched. */
  readonly rules: readonly string[];
  /** Ids of the endpoints that it is delivered to. */
  readonly endpoints: readonly string[];
}

export const statusFact = (status: string): string => `status:${status}`;
export const typeFact = (type: string): string => `type:${JSON.stringify(type)}`;
/** A webhook that does not say what happened has its type for a topic, and is found by that. */
export const topicFact = (topic: string): string => `topic:${JSON.stringify(topic)}`;
export const channelFact = (id: string): string => `channel:${id}`;
export const tagFact = (tag: string): string => `tag:${JSON.stringify(tag)}`;
export const ruleFact = (id: string): string => `rule:${id}`;
export const endpointFact = (id: string): string => `endpoint:${id}`;

/** All facts of an event, each once. */
export const factsOf = (event: FactsOfEvent): readonly string[] => [
  ...new Set([
    statusFact(event.status),
    typeFact(event.type),
    ...(event.topic === WEBHOOK_RECEIVED ? [] : [topicFact(event.topic)]),
    ...(event.channel === null ? [] : [channelFact(event.channel)]),
    ...event.tags.map(tagFact),
    ...event.rules.map(ruleFact),
    ...event.endpoints.map(endpointFact),
  ]),
];
