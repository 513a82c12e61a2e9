/** The endpoints of the project by id, for pages that show an id and mean an endpoint. */
import { api, currentProject, useResource } from '../data/index.js';
import { visible } from '../words/visible.js';
import { allPages } from './all-pages.js';

export interface NamedEndpoint {
  readonly id: string;
  /** Its URL where it has no name. */
  readonly name: string;
  readonly status: 'active' | 'paused';
}

/** Empty until they are read. One that was deleted is not among them. */
export function useEndpointNames(): ReadonlyMap<string, NamedEndpoint> {
  const project = currentProject();
  const read = useResource(`endpoints by id ${project}`, async (signal) => {
    const { items } = await allPages((cursor) =>
      api.listEndpoints({ project, query: { limit: 200, cursor }, signal }),
    );
    return new Map(items.map((one) => [one.id, named(one)]));
  });
  return read.value ?? NONE;
}

const NONE: ReadonlyMap<string, NamedEndpoint> = new Map();

const named = ({ id, name, url, status }: NamedEndpoint & { readonly url: string }): NamedEndpoint => ({
  id,
  name: visible(name === '' ? url : name),
  status,
});
