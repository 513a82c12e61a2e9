/** The facts about the project that the editor proposes: paths of recent events, endpoints, tags in use. */
import { useMemo } from 'preact/hooks';
import { api, useResource } from '../../data/index.js';
import { type EventTypeItem, useEventTypes } from '../event-types.js';
import { type NamedEndpoint, useEndpoints } from '../endpoints.js';
import type { Known } from './model/completion.js';
import { textsOf, type FoundPath } from './model/paths.js';
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
  const types = useEventTypes();
  return {
    paths: useMemo(() => withTopics(paths.value?.items ?? [], types), [paths.value, types]),
    events: paths.value?.events ?? null,
    endpoints: useMemo(() => [...endpoints.values()], [endpoints]),
    tags: tags.value?.items ?? [],
  };
}

const TOPIC = 'topic';

/** The paths of recent events, with the listed event types among the values of the topic. */
function withTopics(paths: readonly FoundPath[], types: readonly EventTypeItem[]): readonly FoundPath[] {
  if (types.length === 0) return paths;
  const found = paths.find(({ path }) => path === TOPIC) ?? NO_TOPICS;
  const known = new Set(textsOf(found));
  const listed = types
    .filter(({ name, deprecated }) => !deprecated && !known.has(name))
    .map(({ name }) => ({ kind: 'string', text: JSON.stringify(name), is_cut: false }));
  return [
    ...paths.filter(({ path }) => path !== TOPIC),
    { ...found, samples: [...found.samples, ...listed] },
  ];
}

const NO_TOPICS: FoundPath = { path: TOPIC, kinds: ['string'], events: 0, samples: [] };
