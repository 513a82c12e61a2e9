/** Receivers and what they have kept, as the API and the audit log show them. */
import { iso, isoOrNull } from '../api/shapes.js';
import type { ReceivedRequest, Receiver } from './routes.js';
import type { ReceiverRow, RequestRow } from './statements.js';

/** @param url - The URL of its token. */
export const shownReceiver = (row: ReceiverRow, url: string): Receiver => ({
  id: row.id,
  name: row.name,
  url,
  status_code: row.status_code,
  delay_ms: row.delay_ms,
  arrived: row.arrived,
  arrived_at: isoOrNull(row.arrived_at),
  version: row.version,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

/** The settings of a receiver; not its URL, nor the columns that requests change. */
export const auditedReceiver = ({ name, status_code, delay_ms }: ReceiverRow): object => ({
  name,
  status_code,
  delay_ms,
});

/** The part of a request that is stored as JSON. */
export type StoredRequest = Omit<ReceivedRequest, 'id' | 'received_at'>;

export const shownRequest = ({ id, at, request }: RequestRow): ReceivedRequest => ({
  id,
  received_at: iso(at),
  ...(JSON.parse(request) as StoredRequest),
});
