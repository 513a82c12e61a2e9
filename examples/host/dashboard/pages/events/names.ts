/** The names behind the ids of a filter, and the proposals of its fields. */
import { allOf } from '../../../src/client/index.js';
import { api, currentProject, isPortal, useResource } from '../../data/index.js';
import { typeOption } from '../../parts/event-types.js';
import type { Option } from '../../ui/index.js';
import type { Condition, Filter } from './filter.js';

const MOST = 200;

export interface Names {
  readonly channels: readonly Option[];
  readonly rules: readonly Option[];
  readonly endpoints: readonly Option[];
  readonly topics: readonly Option[];
  readonly tags: readonly Option[];
}

const NONE: Names = { channels: [], rules: [], endpoints: [], topics: [], tags: [] };
const named = ({ id, name }: { readonly id: string; readonly name: string }): Option => ({
  value: id,
  text: name,
});

/** A list of proposals that cannot be read leaves the others as they are. */
async function proposed<Item>(
  reading: Promise<{ readonly items: readonly Item[] }>,
  option: (item: Item) => Option,
): Promise<readonly Option[]> {
  try {
    return (await reading).items.map(option);
  } catch {
    return [];
  }
}

async function load(project: string, signal: AbortSignal): Promise<Names> {
  const query = { limit: MOST };
  const of = { project, query, signal };
  const endpoints = proposed(api.listEndpoints(of), (one) => ({ ...named(one), note: one.url }));
  if (isPortal) return { ...NONE, endpoints: await endpoints };
  const asValue = (value: string): Option => ({ value });
  const [channels, rules, seen, types, tags] = await Promise.all([
    proposed(api.listChannels(of), named),
    proposed(api.listRules(of), named),
    proposed(api.listEventValues({ ...of, query: { of: 'topic', ...query } }), asValue),
    proposed(
      allOf(api.listEventTypes, { project, signal }).then((items) => ({ items })),
      typeOption,
    ),
    proposed(api.listEventValues({ ...of, query: { of: 'tag', ...query } }), asValue),
  ]);
  const listed = new Set(types.map(({ value }) => value));
  const topics = [...types, ...seen.filter(({ value }) => !listed.has(value))];
  return { channels, rules, endpoints: await endpoints, topics, tags };
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

/** The value of a condition; for an id, the name behind it where that is known. */
export function textOf(condition: Condition, filter: Filter, names: Names): string {
  const value = filter[condition] ?? '';
  if (!Object.hasOwn(LISTS, condition)) return value;
  const options = names[LISTS[condition as keyof typeof LISTS]];
  return options.find((option) => option.value === value)?.text ?? value;
}
