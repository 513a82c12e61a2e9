/** The facts about the project that the editor proposes: paths of recent events, endpoints, tags in use. */
import { api, type Resource, useResource } from '../../data/index.js';
import type { Known } from './model/completion.js';
import { retrying } from './retrying.js';

/** The most pages of a list that are read for a choice. */
const MOST_PAGES = 5;

/** An endpoint to choose. */
export interface KnownEndpoint {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'paused';
}

/** Facts about the project. Each list is empty until it is loaded; a rule can be written without them. */
export interface ProjectFacts extends Known {
  readonly endpoints: readonly KnownEndpoint[];
  /** Events that were looked at for paths; null until they are. */
  readonly events: number | null;
}

export function useProjectFacts(project: string): ProjectFacts {
  const paths = useResource(`event paths ${project}`, (signal) =>
    retrying(signal, () => api.listEventPaths({ project, signal })),
  );
  const endpoints = useResource(`endpoint names ${project}`, (signal) => endpointNames(project, signal));
  const tags = useResource(`tags ${project}`, (signal) =>
    api.listEventValues({ project, query: { of: 'tag', limit: 200 }, signal }),
  );
  return {
    paths: paths.value?.items ?? [],
    events: paths.value?.events ?? null,
    endpoints: valueOr(endpoints, []),
    tags: tags.value?.items ?? [],
  };
}

const valueOr = <Value>({ value }: Resource<Value>, other: Value): Value => value ?? other;

async function endpointNames(project: string, signal: AbortSignal): Promise<readonly KnownEndpoint[]> {
  const found: KnownEndpoint[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, next } = await api.listEndpoints({ project, query: { limit: 200, cursor }, signal });
    found.push(...items.map(({ id, name, url, status }) => ({ id, name: name === '' ? url : name, status })));
    if (next === null) break;
    cursor = next;
  }
  return found;
}
