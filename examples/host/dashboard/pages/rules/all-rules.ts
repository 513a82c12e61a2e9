/** All rules of the project, in evaluation order, with their quota and the version of their order. */
import type { Rule } from 'headgate/slim';
import { useMemo } from 'preact/hooks';
import { api, type Output, type Resource, useResource, versionOf } from '../../data/index.js';

export type ShownRule = Output<'getRule'>;

export interface AllRules {
  readonly rules: readonly ShownRule[];
  readonly quota: Output<'listRules'>['quota'];
  /** The ETag of the list; it is given where the order is changed. */
  readonly version: string | undefined;
}

/** Gives an answer to the page in a task of its own: a rule may be so long that reading its JSON has taken one. */
export async function inOwnTask<Value>(answer: Promise<Value>): Promise<Value> {
  const value = await answer;
  await new Promise((resolve) => setTimeout(resolve));
  return value;
}

const PAGE = 200;

export function useAllRules(project: string): Resource<AllRules> {
  return useResource<AllRules>(`rules ${project}`, async (signal) => {
    const first = await inOwnTask(api.listRules({ project, query: { limit: PAGE }, signal }));
    const rules = [...first.items];
    for (let cursor = first.next; cursor !== null;) {
      const page = await inOwnTask(api.listRules({ project, query: { limit: PAGE, cursor }, signal }));
      rules.push(...page.items);
      cursor = page.next;
    }
    return { rules, quota: first.quota, version: versionOf(first) };
  });
}

/** The drops among them that are enabled, other than one: lint asks whether they hide a rule. */
export function useDrops(all: AllRules | undefined, except: string | null): readonly Rule[] {
  return useMemo(
    () =>
      (all?.rules ?? [])
        .filter(({ action, enabled, id }) => action.type === 'drop' && enabled && id !== except)
        .map(({ id, name, stage, match, action, priority }) => ({
          id,
          name,
          stage,
          match,
          action,
          priority,
        })),
    [all, except],
  );
}

/** A priority after all others. */
export const nextPriority = (all: AllRules | undefined): number => (all?.rules.at(-1)?.priority ?? 0) + 10;
