/** The options with which the host opens the library's stores. */
import type { ColumnTypes } from 'headgate/delivery';

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
