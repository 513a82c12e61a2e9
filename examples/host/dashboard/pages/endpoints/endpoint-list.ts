/** The endpoints with how they are, read page by page. */
import { api, currentProject, type Output } from '../../data/index.js';
import { type Pages, usePages } from '../../parts/use-pages.js';

export type Endpoint = Output<'getEndpoint'>;
export type ListedHealth = Output<'listEndpointHealth'>['items'][number];
export type Span = 'hour' | 'day';

/** An endpoint with its health; null for one that is newer than what was read of that. */
export interface Row {
  readonly endpoint: Endpoint;
  readonly health: ListedHealth | null;
}

const LIMIT = 50;

/** A page of endpoints, and the same page of their health. */
async function readRows(span: Span, cursor: string | undefined, signal: AbortSignal) {
  const project = currentProject();
  const query = { limit: LIMIT, cursor };
  const [endpoints, health] = await Promise.all([
    api.listEndpoints({ project, query, signal }),
    api.listEndpointHealth({ project, query: { ...query, period: span }, signal }),
  ]);
  const healthOf = new Map(health.items.map((one) => [one.endpoint_id, one]));
  const items = endpoints.items.map((endpoint) => ({ endpoint, health: healthOf.get(endpoint.id) ?? null }));
  return { items, next: endpoints.next };
}

export const useEndpointList = (span: Span): Pages<Row> =>
  usePages(`endpoints ${currentProject()} ${span}`, (cursor, signal) => readRows(span, cursor, signal));
