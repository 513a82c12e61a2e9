/** The Event JSON: as rules see an event, and as endpoints and SDK clients get it. Both are made of rows. */
import { wholeRequest } from './request.js';

/** The columns of an event that never change. */
export interface EventHead {
  readonly id: string;
  readonly type: string;
  /** Null for an event that came in by no channel, such as a test. */
  readonly channelId: string | null;
  readonly channelName: string | null;
  /** Unix ms. */
  readonly receivedAt: number;
}

/** An event as it was persisted. */
export interface PersistedEvent extends EventHead {
  readonly project: string;
  /** JSON text of `data`, an object. */
  readonly data: string;
  /** `raw_payload` as it is stored: see `wholeRequest`; null for an event that no request brought, and where no rule asks for it. */
  readonly rawPayload: string | null;
}

/** An event as rules see it: before any decision. */
export interface EventForRules {
  readonly id: string;
  readonly type: string;
  readonly channel?: { readonly id: string; readonly type: 'webhook'; readonly name: string | null };
  readonly received_at: string;
  readonly data: { readonly [key: string]: unknown };
  readonly raw_payload?: unknown;
  readonly status: 'received';
  readonly tags: readonly string[];
}

const instant = (at: number): string => new Date(at).toISOString();

const channelOf = ({ channelId: id, channelName: name }: EventHead) =>
  id === null ? {} : { channel: { id, type: 'webhook' as const, name } };

/**
 * The event that rules are evaluated on.
 *
 * @throws SyntaxError for a text that is not JSON, which ingest does not store.
 */
export function eventForRules(event: Omit<PersistedEvent, 'project'>): EventForRules {
  const { id, type, receivedAt, data, rawPayload } = event;
  return {
    id,
    type,
    ...channelOf(event),
    received_at: instant(receivedAt),
    data: JSON.parse(data) as EventForRules['data'],
    ...(rawPayload !== null && { raw_payload: JSON.parse(wholeRequest(rawPayload, data)) as unknown }),
    status: 'received',
    tags: [],
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
 * The text that destinations get: no `raw_payload`, and `data` as it is stored, letter by letter. A number of twenty digits
 * keeps them all, unless a transform has changed the event.
 */
export function eventText(event: EventHead, { data, tags }: Projection): string {
  const { id, type, receivedAt } = event;
  const head = JSON.stringify({ id, type, ...channelOf(event), received_at: instant(receivedAt) });
  return `${head.slice(0, -1)},"data":${data},"status":"processed","tags":${tags}}`;
}

const UTF8 = new TextEncoder();

/** {@link eventText} as the bytes that are POSTed and signed. */
export const eventBytes = (event: EventHead, projection: Projection): Uint8Array =>
  UTF8.encode(eventText(event, projection));

/** True for rules, as their JSON text, that may ask for `raw_payload`; most do not, and it need not be read and parsed. */
export const asksForRawPayload = (rules: string): boolean => rules.includes('"raw_payload');
