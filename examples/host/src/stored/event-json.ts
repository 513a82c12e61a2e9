/** The Event JSON: as rules see an event, and as endpoints and SDK clients get it. Both are made of rows. */
import { wholeRequest } from './request.js';

/** The columns of an event that never change. */
export interface EventHead {
  readonly id: string;
  readonly type: string;
  /** Says what happened, in the sender's words. */
  readonly topic: string;
  /** Null for an event that came in by no channel, such as a test. */
  readonly channelId: string | null;
  readonly channelName: string | null;
  /** Unix ms. */
  readonly receivedAt: number;
}

/** {@link EventHead} as rows have it. */
export interface HeadRow {
  readonly id: string;
  readonly type: string;
  /** Null if the type is the topic. */
  readonly topic: string | null;
  readonly channel_id: string | null;
  readonly channel_name: string | null;
  readonly received_at: number;
}

/** The columns of a {@link HeadRow} but for the id, of `events` and `event_payloads`. */
export const HEAD_COLUMNS = 'type, topic, channel_id, channel_name, received_at';

export const headOf = (row: HeadRow): EventHead => ({
  id: row.id,
  type: row.type,
  topic: row.topic ?? row.type,
  channelId: row.channel_id,
  channelName: row.channel_name,
  receivedAt: row.received_at,
});

/** The type of every event that a webhook brought. Nothing else may have it. */
export const WEBHOOK_RECEIVED = 'webhook.received';

/** The types of alerts begin so, and no event of anybody else does. */
export const ALERT_TYPES = 'headgate.';

export const isAlert = (type: string): boolean => type.startsWith(ALERT_TYPES);

/** An event as it was persisted. */
export interface PersistedEvent extends EventHead {
  readonly project: string;
  /** JSON text of an array: the tags that its sender gave it; null for none. */
  readonly givenTags: string | null;
  /** Events of a key go to an ordered endpoint one at a time; null for none. */
  readonly orderingKey: string | null;
  /** The trace of the request that brought the event; null for none. */
  readonly traceparent: string | null;
  /** JSON text of `data`, an object. */
  readonly data: string;
  /**
   * `raw_payload` as it is stored: see `wholeRequest`; null for an event that no request brought, and where no rule
   * asks for it.
   */
  readonly rawPayload: string | null;
}

/** The project and the id of an event, by which its row is found. */
export type EventKey = Pick<PersistedEvent, 'project' | 'id'>;
export const keyOf = ({ project, id }: EventKey): EventKey => ({ project, id });

/** A {@link PersistedEvent} as rows have it. */
export interface PersistedRow extends HeadRow {
  readonly data: string;
  readonly raw_payload: string | null;
  readonly given_tags: string | null;
  readonly ordering_key: string | null;
  readonly traceparent: string | null;
}

/** The columns of a {@link PersistedRow} but for the id and the raw payload. */
export const PERSISTED_COLUMNS = `${HEAD_COLUMNS}, data, given_tags, ordering_key, traceparent`;

export const persistedOf = (row: PersistedRow): Omit<PersistedEvent, 'project'> => ({
  ...headOf(row),
  data: row.data,
  rawPayload: row.raw_payload,
  givenTags: row.given_tags,
  orderingKey: row.ordering_key,
  traceparent: row.traceparent,
});

/** An event as rules see it: before any decision. */
export interface EventForRules {
  readonly id: string;
  readonly type: string;
  readonly topic: string;
  readonly channel?: { readonly id: string; readonly type: ChannelType; readonly name: string | null };
  readonly received_at: string;
  readonly data: { readonly [key: string]: unknown };
  readonly raw_payload?: unknown;
  readonly status: 'received';
  readonly tags: readonly string[];
}

const instant = (at: number): string => new Date(at).toISOString();

/** The kinds of channels: `webhook` takes requests of providers, `api` events that the project's owner publishes. */
export type ChannelType = 'webhook' | 'api';

/** The channel of an event; null if it came in by none. */
export const channelOf = ({ channelId: id, channelName: name, type }: Omit<EventHead, 'topic'>) =>
  id === null
    ? null
    : { id, type: type === WEBHOOK_RECEIVED ? ('webhook' as const) : ('api' as const), name };

/** The first members of every Event JSON. */
function headMembers(event: EventHead) {
  const { id, type, topic, receivedAt } = event;
  const channel = channelOf(event);
  return { id, type, topic, ...(channel !== null && { channel }), received_at: instant(receivedAt) };
}

/**
 * The event that rules are evaluated on.
 *
 * @throws SyntaxError for a text that is not JSON, which ingest does not store.
 */
export function eventForRules(event: Omit<PersistedEvent, 'project'>): EventForRules {
  const { data, rawPayload, givenTags } = event;
  return {
    ...headMembers(event),
    data: JSON.parse(data) as EventForRules['data'],
    ...(rawPayload !== null && { raw_payload: JSON.parse(wholeRequest(rawPayload, data)) as unknown }),
    status: 'received',
    tags: givenTags === null ? [] : (JSON.parse(givenTags) as readonly string[]),
  };
}

/** The members of an event that transforms and tags change. */
export interface Projection {
  /** JSON text of `data`, as transforms left it. */
  readonly data: string;
  /** JSON text of an array. */
  readonly tags: string;
}

/**
 * The text that destinations get: no `raw_payload`, and `data` as it is stored, letter by letter. A number of twenty
 * digits keeps them all, unless a transform has changed the event.
 */
export function eventText(event: EventHead, { data, tags }: Projection): string {
  const head = JSON.stringify(headMembers(event));
  return `${head.slice(0, -1)},"data":${data},"status":"processed","tags":${tags}}`;
}

const UTF8 = new TextEncoder();

/** {@link eventText} as the bytes that are POSTed and signed. */
export const eventBytes = (event: EventHead, projection: Projection): Uint8Array =>
  UTF8.encode(eventText(event, projection));

/**
 * True for rules, as their JSON text, that may ask for `raw_payload`; most do not, and it need not be read and parsed.
 */
export const asksForRawPayload = (rules: string): boolean => rules.includes('"raw_payload');
