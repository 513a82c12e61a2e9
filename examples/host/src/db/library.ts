/** The options with which the host opens the library's stores. */
import type { ColumnTypes, ReadBodies } from 'headgate/delivery';
import { eventBytes, HEAD_COLUMNS, headOf, type HeadRow } from '../stored/event-json.js';
import type { Queries } from './port.js';

/** The host's columns in the library's table of deliveries. */
export const COLUMNS = {
  project_id: 'text',
  /** The event's channel, whose secrets sign the delivery. */
  channel_id: 'text',
  /** The bulk redelivery, or the replay of many events, that made the delivery. */
  redelivery_id: 'text',
  /** The event's trace, which the request carries on; null for none. */
  traceparent: 'text',
} as const satisfies ColumnTypes;

/** A URL without its query, which often holds a key of the customer. */
export function withoutQuery(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, protocol, host, pathname } = new URL(url);
  return `${origin === 'null' ? `${protocol}//${host}` : origin}${pathname}`;
}

/** Events as they were decided, with `data` as transforms left it. */
const SELECT_SENT = `select events.id, ${HEAD_COLUMNS}, coalesce(projected, data) as data, tags
  from events join event_payloads on event_id = events.id where events.id in {list $1}`;

interface SentRow extends HeadRow {
  readonly data: string;
  readonly tags: string;
}

/**
 * Reads the bodies of deliveries that send an event as it was decided, which are not stored beside the event.
 *
 * @param queries - They see what was committed.
 */
export const bodyReader =
  ({ all }: Pick<Queries, 'all'>): ReadBodies =>
  async (deliveries) => {
    const events = [...new Set(deliveries.map(({ event_id }) => event_id))];
    const rows = await all<SentRow>(SELECT_SENT, [JSON.stringify(events)]);
    const bodies = new Map(rows.map((row) => [row.id, eventBytes(headOf(row), row)]));
    return deliveries.map(({ event_id }) => bodies.get(event_id) ?? null);
  };
