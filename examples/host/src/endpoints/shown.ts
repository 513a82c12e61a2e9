/** Endpoints as the API, the audit log and the scheduler see them. */
import type { DeliveryTarget } from 'headgate/delivery';
import { iso, isoOrNull } from '../api/shapes.js';
import type { FixedHeaders, HeadersVault } from './headers.js';
import type { SigningSecrets } from '../signing-secrets/signing-secrets.js';
import type { Endpoint } from './routes.js';
import type { EndpointRow } from './statements.js';

const rateOf = ({ rate_limit_per_second: rate }: EndpointRow): number | null =>
  rate === null ? null : Number(rate);

const delaysOf = ({ retry_delays: delays }: EndpointRow): readonly number[] | null =>
  delays === null ? null : (JSON.parse(delays) as readonly number[]);

/** Null for every topic. */
export const topicsOf = ({ topics }: Pick<EndpointRow, 'topics'>): readonly string[] | null =>
  topics === null ? null : (JSON.parse(topics) as readonly string[]);

const retryAfterOf = ({ retry_after }: EndpointRow): Endpoint['retry_after'] =>
  retry_after === 'ignore' ? 'ignore' : 'honor';

const onExhaustedOf = ({ on_exhausted }: EndpointRow): Endpoint['on_exhausted'] =>
  on_exhausted === 'hold' ? 'hold' : 'continue';

const signatureOf = ({ signature }: EndpointRow): Endpoint['signature'] => signature as Endpoint['signature'];

/** @param headers - Masked. */
export const shownEndpoint = (row: EndpointRow, headers: Endpoint['headers']): Endpoint => ({
  id: row.id,
  name: row.name,
  url: row.url,
  status: row.status as Endpoint['status'],
  paused_by: row.paused_by as Endpoint['paused_by'],
  retry_max_attempts: row.retry_max_attempts,
  retry_backoff_base_seconds: row.retry_backoff_base_seconds,
  retry_after: retryAfterOf(row),
  retry_delays: delaysOf(row),
  rate_limit_per_second: rateOf(row),
  purpose: row.purpose as Endpoint['purpose'],
  topics: topicsOf(row),
  ordering: row.ordering as Endpoint['ordering'],
  on_exhausted: onExhaustedOf(row),
  signature: signatureOf(row),
  secret: row.secret as Endpoint['secret'],
  headers,
  exchange: row.exchange === 1,
  failing_since: isoOrNull(row.failing_since),
  version: row.version,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

/** For the audit log: the query of a URL may hold a token of the customer's. */
export const auditedEndpoint = (row: EndpointRow, headers: Endpoint['headers']): Endpoint => ({
  ...shownEndpoint(row, headers),
  url: row.url.replace(/[?#].*$/s, '?…'),
});

/** Everything that an attempt needs to know of its endpoint. */
export interface Target extends DeliveryTarget, Pick<Endpoint, 'signature'> {
  /** Opens the fixed headers; null without any. */
  readonly headers: (() => FixedHeaders) | null;
  /** Reads the endpoint's own secrets; null if those of the channel sign. */
  readonly secrets: (() => Promise<readonly string[]>) | null;
}

/** Reads what is sealed. */
export interface Sealed {
  readonly vault: HeadersVault;
  readonly secrets: Pick<SigningSecrets, 'of'>;
}

export const targetOf = (row: EndpointRow, { vault, secrets }: Sealed): Target => ({
  url: row.url,
  retry_max_attempts: row.retry_max_attempts,
  retry_backoff_base_seconds: row.retry_backoff_base_seconds,
  retry_after: retryAfterOf(row),
  retry_delays: delaysOf(row),
  rate_limit_per_second: rateOf(row),
  on_exhausted: onExhaustedOf(row),
  signature: signatureOf(row),
  headers: row.headers === null ? null : () => vault.open(row),
  secrets: row.secret === 'endpoint' ? () => secrets.of(row.id) : null,
  failing_since: row.failing_since,
  exchange: row.exchange === 1,
});
