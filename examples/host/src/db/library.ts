/** The options with which the host opens the library's stores. */
import type { ColumnTypes, KeepExchange, ReadBodies } from 'headgate/delivery';
import { eventBytes, HEAD_COLUMNS, headOf, type HeadRow } from '../stored/event-json.js';
import type { KeptSettlement, Queries, Sql } from './port.js';

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

/** The text was made before the transaction: it may be repeated. */
export const keepExchange: KeepExchange = (_, settlement: KeptSettlement) => settlement.kept ?? null;

/** Events as they were decided, with `data` as transforms left it. Each is looked up, also before the first analyze. */
const sent = (
  join: string,
): string => `select e.id, ${HEAD_COLUMNS}, coalesce(p.projected, p.data) as data, e.tags
  from {rows $1: project text, id text} ${join}`;
export const SELECT_SENT: Sql = {
  sqlite: sent(`cross join events as e on e.project_id = rows.project and e.id = rows.id
    join event_payloads as p on p.event_id = e.id`),
  postgres: sent(`cross join lateral (
      select * from events where project_id = rows.project and id = rows.id limit 1) as e
    cross join lateral (select * from event_payloads where event_id = e.id limit 1) as p`),
};

interface SentRow extends HeadRow {
  readonly data: string;
  readonly tags: string;
}

/** The members of a delivery by which its event is found. */
type SentDelivery = Pick<Parameters<ReadBodies>[0][number], 'event_id' | 'columns'>;

/**
 * Reads the bodies of deliveries that send an event as it was decided, which are not stored beside the event.
 *
 * @param queries - They see what was committed.
 */
export const bodyReader =
  ({ all }: Pick<Queries, 'all'>) =>
  async (deliveries: readonly SentDelivery[]): Promise<readonly (Uint8Array | null)[]> => {
    const events = new Map(deliveries.map((one) => [one.event_id, one.columns?.project_id ?? null]));
    const keys = [...events].map(([id, project]) => ({ project, id }));
    const rows = await all<SentRow>(SELECT_SENT, [JSON.stringify(keys)]);
    const bodies = new Map(rows.map((row) => [row.id, eventBytes(headOf(row), row)]));
    return deliveries.map(({ event_id }) => bodies.get(event_id) ?? null);
  };
