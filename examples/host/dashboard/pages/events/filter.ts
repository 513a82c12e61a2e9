/** The filter of the events, as it is in the address and as the API takes it. Pure. */
import { type EventItem, type Input, isPortal } from '../../data/index.js';
import type { ReplayFilter } from '../../parts/replay/filter-text.js';
import { rangeOf } from '../../parts/time-range.js';
import { mayBeMatch } from './match-address.js';

/** The names of the conditions, in the order in which they are shown. */
export const CONDITIONS = {
  outcome: 'Outcome',
  status: 'Status',
  topic: 'Topic',
  type: 'Type',
  channel: 'Channel',
  tag: 'Tag',
  rule: 'Rule',
  endpoint: 'Endpoint',
  id: 'Id',
  since: 'Time',
  from: 'From',
  to: 'Before',
  match: 'Payload',
} as const;
export type Condition = keyof typeof CONDITIONS;

/** Conditions that the portal does not have. */
const OF_DASHBOARD: readonly Condition[] = ['status', 'rule', 'match'];

/** Conditions that are set; texts as in the address. */
export type Filter = Readonly<Partial<Record<Condition, string>>>;

/** The conditions of a query; invalid members are left out. */
export function filterOf(query: Readonly<Record<string, string>>): Filter {
  const names = Object.keys(CONDITIONS) as Condition[];
  const isKnown = (name: Condition, text: string): boolean =>
    (!isPortal || !OF_DASHBOARD.includes(name)) && (name !== 'match' || mayBeMatch(text));
  return Object.fromEntries(
    names.flatMap((name) => (query[name] && isKnown(name, query[name]) ? [[name, query[name]]] : [])),
  );
}

export type ListQuery = NonNullable<Input<'listEvents'>['query']>;

/** The query of the API, `match` left out. Times are computed when it is asked. */
export function listQuery(filter: Filter, now: number): ListQuery {
  const { match: _match, since: _since, from: _from, to: _to, status, outcome, ...rest } = filter;
  return {
    ...rest,
    ...(status !== undefined && { status: status as EventItem['status'] }),
    ...(outcome !== undefined && { outcome: outcome as EventItem['outcome'] }),
    ...rangeOf(filter, now),
  };
}

/** The filter of a replay, with the match tree. Undecided events cannot be replayed. */
export function replayFilter(filter: Filter, now: number): ReplayFilter {
  const { status, outcome, ...query } = listQuery(filter, now);
  return {
    ...query,
    ...(status !== undefined && status !== 'received' && { status }),
    ...(outcome !== undefined && outcome !== 'not_decided' && { outcome }),
    ...(filter.match !== undefined && { match: JSON.parse(filter.match) as unknown }),
  };
}

/** Whether an event that has just come belongs to the list; null if only the service can tell. */
export function passes(item: EventItem, filter: Filter): boolean | null {
  const { status, outcome, topic, type, channel, tag, rule, id, from, to, endpoint, match } = filter;
  const isOut =
    (status !== undefined && item.status !== status) ||
    (outcome !== undefined && item.outcome !== outcome) ||
    (topic !== undefined && item.topic !== topic) ||
    (type !== undefined && item.type !== type) ||
    (channel !== undefined && item.channel?.id !== channel) ||
    (tag !== undefined && !item.tags.includes(tag)) ||
    (rule !== undefined && !item.matched.some((one) => one.id === rule)) ||
    (id !== undefined && !item.id.startsWith(id)) ||
    (from !== undefined && item.received_at < from) ||
    (to !== undefined && item.received_at >= to);
  if (isOut) return false;
  return endpoint === undefined && match === undefined ? true : null;
}
