/** The endpoints with how they are, read page by page. */
import { useState } from 'preact/hooks';
import { api, currentProject, type Output, type Resource, useResource } from '../../data/index.js';

export type Endpoint = Output<'getEndpoint'>;
export type ListedHealth = Output<'listEndpointHealth'>['items'][number];
export type Span = 'hour' | 'day';

/** An endpoint with its health; null for one that is newer than what was read of that. */
export interface Row {
  readonly endpoint: Endpoint;
  readonly health: ListedHealth | null;
}

interface Rows {
  readonly items: readonly Row[];
  /** Pages that were read. */
  readonly pages: number;
  readonly next: string | null;
}

export interface EndpointList {
  readonly resource: Resource<Rows>;
  readonly more: () => void;
  readonly isLoading: boolean;
}

const LIMIT = 50;

async function readPage(span: Span, cursor: string | null, signal?: AbortSignal): Promise<Rows> {
  const project = currentProject();
  const query = { limit: LIMIT, ...(cursor !== null && { cursor }) };
  const options = signal === undefined ? {} : { signal };
  const [endpoints, health] = await Promise.all([
    api.listEndpoints({ project, query, ...options }),
    api.listEndpointHealth({ project, query: { ...query, period: span }, ...options }),
  ]);
  const healthOf = new Map(health.items.map((one) => [one.endpoint_id, one]));
  const items = endpoints.items.map((endpoint) => ({ endpoint, health: healthOf.get(endpoint.id) ?? null }));
  return { items, pages: 1, next: endpoints.next };
}

/** Reads on where a list ends. */
async function readOn(span: Span, rows: Rows, signal?: AbortSignal): Promise<Rows> {
  const { items, next } = await readPage(span, rows.next, signal);
  return { items: [...rows.items, ...items], pages: rows.pages + 1, next };
}

export function useEndpointList(span: Span): EndpointList {
  const [isLoading, setLoading] = useState(false);
  const resource: Resource<Rows> = useResource(`endpoints ${currentProject()} ${span}`, async (signal) => {
    const pages = resource.value?.pages ?? 1;
    let rows = await readPage(span, null, signal);
    while (rows.pages < pages && rows.next !== null) rows = await readOn(span, rows, signal);
    return rows;
  });
  const more = async (): Promise<void> => {
    if (resource.value === undefined) return;
    setLoading(true);
    try {
      resource.set(await readOn(span, resource.value));
    } catch {
      resource.reload();
    } finally {
      setLoading(false);
    }
  };
  return { resource, more: () => void more(), isLoading };
}
