/** Channels as the API and the audit log show them. */
import { iso, isoOrNull } from '../api/shapes.js';
import type { SourceSettings } from '../sources/index.js';
import type { Channel } from './routes.js';
import type { ChannelRow } from './statements.js';

/** A channel with its settings opened. */
export interface OpenChannel {
  readonly row: ChannelRow;
  readonly settings: SourceSettings;
}

/** @param url - The URL of the address; null if the address is not to be shown. */
export const shownChannel = ({ row, settings }: OpenChannel, url: string | null): Channel => ({
  id: row.id,
  name: row.name,
  type: row.type as Channel['type'],
  address: url === null || row.type === 'api' ? null : row.address,
  url,
  source: {
    name: row.source as Channel['source']['name'],
    header: settings.header,
    secrets: settings.secrets.length,
  },
  requires_key: row.requires_key === 1,
  topic_path: row.topic_path,
  ordering_path: row.ordering_path,
  rejected: row.rejected,
  rejected_at: isoOrNull(row.rejected_at),
  version: row.version,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});
