/** The facts about the project that the editor proposes: paths of recent events, endpoints, tags in use. */
import { useMemo } from 'preact/hooks';
import { api, useResource } from '../../data/index.js';
import { type NamedEndpoint, useEndpoints } from '../endpoints.js';
import type { Known } from './model/completion.js';
import { retrying } from '../retrying.js';

/** Facts about the project. Each list is empty until it is loaded; a rule can be written without them. */
export interface ProjectFacts extends Known {
  readonly endpoints: readonly NamedEndpoint[];
  /** Events that were looked at for paths; null until they are. */
  readonly events: number | null;
}

export function useProjectFacts(project: string): ProjectFacts {
  const paths = useResource(`event paths ${project}`, (signal) =>
    retrying(signal, () => api.listEventPaths({ project, signal })),
  );
  const endpoints = useEndpoints();
  const tags = useResource(`tags ${project}`, (signal) =>
    api.listEventValues({ project, query: { of: 'tag', limit: 200 }, signal }),
  );
  return {
    paths: paths.value?.items ?? [],
    events: paths.value?.events ?? null,
    endpoints: useMemo(() => [...endpoints.values()], [endpoints]),
    tags: tags.value?.items ?? [],
  };
}
