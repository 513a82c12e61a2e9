/** All endpoints by id, for lists that name them. */
import { allOf } from '../../src/client/index.js';
import { api, currentProject, type Output, useResource } from '../data/index.js';
import type { Option } from '../ui/index.js';

type Endpoint = Output<'listEndpoints'>['items'][number];

export interface EndpointOptions {
  readonly options: readonly Option[];
  /** Null for one that is deleted, or not read yet. */
  readonly nameOf: (id: string) => string | null;
}

export function useEndpointOptions(): EndpointOptions {
  const project = currentProject();
  const read = useResource<readonly Endpoint[]>(`endpoint names ${project}`, (signal) =>
    allOf(api.listEndpoints, { project, signal }),
  );
  const endpoints = read.value ?? [];
  return {
    options: endpoints.map(({ id, name, url }) => ({ value: id, text: name, note: url })),
    nameOf: (id) => endpoints.find((one) => one.id === id)?.name ?? null,
  };
}
