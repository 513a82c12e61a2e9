/** The names behind the ids of a filter, and the proposals of its fields. */
import { api, currentProject, useResource } from '../../data/index.js';
import type { Option } from '../../ui/index.js';
import type { Condition, Filter } from './filter.js';

const MOST = 200;

export interface Names {
  readonly channels: readonly Option[];
  readonly rules: readonly Option[];
  readonly endpoints: readonly Option[];
  readonly types: readonly Option[];
  readonly tags: readonly Option[];
}

const NONE: Names = { channels: [], rules: [], endpoints: [], types: [], tags: [] };
const named = ({ id, name }: { readonly id: string; readonly name: string }): Option => ({
  value: id,
  text: name,
});

async function load(project: string, signal: AbortSignal): Promise<Names> {
  const query = { limit: MOST };
  const [channels, rules, endpoints, types, tags] = await Promise.all([
    api.listChannels({ project, query, signal }),
    api.listRules({ project, query, signal }),
    api.listEndpoints({ project, query, signal }),
    api.listEventValues({ project, query: { of: 'type', ...query }, signal }),
    api.listEventValues({ project, query: { of: 'tag', ...query }, signal }),
  ]);
  const values = (items: readonly string[]): readonly Option[] => items.map((value) => ({ value }));
  return {
    channels: channels.items.map((channel) => named({ id: channel.id, name: channel.name })),
    rules: rules.items.map(named),
    endpoints: endpoints.items.map((one) => ({ ...named(one), note: one.url })),
    types: values(types.items),
    tags: values(tags.items),
  };
}

/** @param isWanted - Nothing is read until it is. */
export function useNames(isWanted: boolean): Names {
  const project = currentProject();
  const key = `names ${project}${isWanted ? '' : ' none'}`;
  return (
    useResource(key, (signal) => (isWanted ? load(project, signal) : Promise.resolve(NONE))).value ?? NONE
  );
}

const LISTS = { channel: 'channels', rule: 'rules', endpoint: 'endpoints' } as const;

/** What a condition says, for people. */
export function textOf(condition: Condition, filter: Filter, names: Names): string {
  const value = filter[condition] ?? '';
  if (!Object.hasOwn(LISTS, condition)) return value;
  const options = names[LISTS[condition as keyof typeof LISTS]];
  return options.find((option) => option.value === value)?.text ?? value;
}
