/** The endpoints of the project, for pages that show an id and mean an endpoint, and for choices. */
import { useMemo } from 'preact/hooks';
import { allOf } from '../../src/client/index.js';
import { api, currentProject, useResource } from '../data/index.js';
import type { Option } from '../ui/index.js';
import { visible } from '../words/visible.js';

export interface NamedEndpoint {
  readonly id: string;
  /** Its URL where it has no name. */
  readonly name: string;
  readonly url: string;
  readonly status: 'active' | 'paused';
}

/** All endpoints by id; empty until they are read. One that was deleted is not among them. */
export function useEndpoints(): ReadonlyMap<string, NamedEndpoint> {
  const project = currentProject();
  const read = useResource(`endpoints by id ${project}`, async (signal) => {
    const items = await allOf(api.listEndpoints, { project, signal });
    return new Map(items.map((one) => [one.id, named(one)]));
  });
  return read.value ?? NONE;
}

const NONE: ReadonlyMap<string, NamedEndpoint> = new Map();

const named = ({ id, name, url, status }: NamedEndpoint): NamedEndpoint => ({
  ...{ id, status },
  name: visible(name === '' ? url : name),
  url: visible(url),
});

export interface EndpointOptions {
  readonly options: readonly Option[];
  /** Null for one that is deleted, or not read yet. */
  readonly nameOf: (id: string) => string | null;
}

export function useEndpointOptions(): EndpointOptions {
  const endpoints = useEndpoints();
  const options = useMemo(
    () => [...endpoints.values()].map(({ id, name, url }) => ({ value: id, text: name, note: url })),
    [endpoints],
  );
  return { options, nameOf: (id) => endpoints.get(id)?.name ?? null };
}
