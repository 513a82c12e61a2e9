/** From the conditions of a list to the rows that are read for it. Pure. */
import {
  channelFact,
  endpointFact,
  ruleFact,
  statusFact,
  tagFact,
  topicFact,
  typeFact,
} from '../stored/facts.js';
import { firstEventIdAt } from '../ids.js';
import type { FoundItem } from './items.js';
import type { EventFilter, Outcome } from './routes.js';

/** Ids from `low` to below `high`, by the order of their bytes. */
export interface IdRange {
  readonly low: string;
  readonly high: string;
}

/** A filter as the queries apply it, to decided and to undecided events. */
export interface EventQuery {
  /** Facts that decided events must have; null if only undecided ones are asked for. */
  readonly facts: readonly string[] | null;
  /** Conditions on undecided events; null if none of them can match the filter. */
  readonly undecided: {
    readonly type: string | null;
    readonly topic: string | null;
    readonly channel: string | null;
  } | null;
  /** The outcome that decided events must have, where no fact says it; null for any. */
  readonly outcome: Exclude<Outcome, 'not_decided'> | null;
}

/** Below and above every id of an event. */
const LOWEST = 'evt_';
const HIGHEST = 'evt_~';

const laterOf = (a: string, b: string): string => (a > b ? a : b);
const earlierOf = (a: string, b: string): string => (a < b ? a : b);

/**
 * The ids that a filter allows: ids hold the time received, so a range of time is one of ids, and so is the beginning
 * of an id.
 *
 * @param before - An id; only lower ones are asked for.
 */
export function rangeOf({ id, from, to }: EventFilter, before: string = HIGHEST): IdRange {
  const low = [LOWEST, id ?? LOWEST, from === undefined ? LOWEST : firstEventIdAt(from)].reduce(laterOf);
  const high = [
    before,
    // A whole id is the beginning of itself alone.
    id === undefined ? HIGHEST : `${id}~`,
    to === undefined ? HIGHEST : firstEventIdAt(to),
  ].reduce(earlierOf);
  return { low, high };
}

/** Undecided events have a type and a channel, but neither tags nor rules nor endpoints. */
export function queryOf({
  status,
  outcome,
  type,
  topic,
  channel,
  tag,
  rule,
  endpoint,
}: EventFilter): EventQuery {
  const ofDecision = [
    ...(tag ?? []).map(tagFact),
    ...(rule === undefined ? [] : [ruleFact(rule)]),
    ...(endpoint === undefined ? [] : [endpointFact(endpoint)]),
  ];
  const facts = [
    ...new Set(
      [status, STATUS_OF.get(outcome)].flatMap((one) => (one === undefined ? [] : [statusFact(one)])),
    ),
    ...(type === undefined ? [] : [typeFact(type)]),
    ...(topic === undefined ? [] : [topicFact(topic)]),
    ...(channel === undefined ? [] : [channelFact(channel)]),
    ...new Set(ofDecision),
  ];
  const isUndecided = outcome === 'not_decided';
  const mayBeUndecided =
    ofDecision.length === 0 &&
    (status === undefined || status === 'received') &&
    (outcome === undefined || isUndecided);
  return {
    facts: status === 'received' || isUndecided ? null : facts,
    undecided: mayBeUndecided ? { type: type ?? null, topic: topic ?? null, channel: channel ?? null } : null,
    outcome: outcome === undefined || isUndecided ? null : outcome,
  };
}

/** The status of all events with an outcome. A dropped one that was replayed has another outcome. */
const STATUS_OF: ReadonlyMap<Outcome | undefined, string> = new Map([
  ['dropped', 'dropped'],
  ['no_endpoint', 'processed'],
]);

/** Whether an event matches a filter: what lists read by facts and ranges, as a predicate. */
export function fulfils({ item, rules, endpoints }: FoundItem, filter: EventFilter): boolean {
  const { low, high } = rangeOf(filter);
  return (
    item.id >= low &&
    item.id < high &&
    isOrAny(item.status, filter.status) &&
    isOrAny(item.outcome, filter.outcome) &&
    isOrAny(item.type, filter.type) &&
    isOrAny(item.topic, filter.topic) &&
    isOrAny(item.channel?.id, filter.channel) &&
    (filter.tag ?? []).every((tag) => item.tags.includes(tag)) &&
    (filter.rule === undefined || rules.has(filter.rule)) &&
    (filter.endpoint === undefined || endpoints.has(filter.endpoint))
  );
}

const isOrAny = <Of>(value: Of, wanted: Of | undefined): boolean => wanted === undefined || value === wanted;
