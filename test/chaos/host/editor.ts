/** Somebody who edits the rules all the time, and remembers every version. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Rule } from 'headgate';
import { versionOf } from '../../../examples/host/src/client/index.js';
import type { Means } from '../scenario.js';
import type { Project } from './project.js';

/** The rules of one version, as the editor made them. */
export interface RulesOfVersion {
  readonly rules: readonly Rule[];
  /** Unix ms: the edit had been answered. */
  readonly at: number;
}

/** By `rules_version`. */
export type Versions = ReadonlyMap<number, RulesOfVersion>;

export const firstVersion = ({ rulesVersion, rules }: Project): Versions =>
  new Map([[rulesVersion, { rules, at: Date.now() }]]);

/** Edits that go on. */
export interface Editing {
  readonly versions: Versions;
  readonly faults: readonly string[];
  /** No more edits. Rejects where one was refused. */
  stop(): Promise<void>;
}

const PAUSE_MS = 150;
/** The length of a pause is drawn up to this, beside {@link PAUSE_MS}. */
const MORE_MS = 300;
const MOST_RULES = 8;

type Draw = Means['draw'];

/** Makes one edit; gives the rules as they are then. */
type Edit = (project: Project, rules: readonly Rule[], draw: Draw) => Promise<readonly Rule[]>;

const pick = <Of>(all: readonly Of[], draw: Draw): Of => all[draw(all.length)] as Of;
const withRule = (rules: readonly Rule[], edited: Rule): readonly Rule[] =>
  rules.map((rule) => (rule.id === edited.id ? edited : rule));

const toggle: Edit = async ({ api, id: project }, rules, draw) => {
  const rule = pick(rules, draw);
  const enabled = rule.enabled === false;
  await api.updateRule({ project, rule: rule.id, body: { enabled } });
  return withRule(rules, { ...rule, enabled });
};

const reorder: Edit = async ({ api, id: project }, rules, draw) => {
  const order = rules.map((rule) => ({ rule, at: draw(1_000) })).sort((a, b) => a.at - b.at);
  const ids = order.map(({ rule }) => rule.id);
  await api.orderRules({ project, body: { ids } });
  return rules.map((rule) => ({ ...rule, priority: (ids.indexOf(rule.id) + 1) * 10 }));
};

const replace: Edit = async ({ api, id: project }, rules, draw) => {
  const rule = pick(rules, draw);
  const match = { path: 'data.body.amount', op: 'gte', value: draw(100) } as const;
  const { id: _, enabled = true, ...document } = { ...rule, match };
  await api.replaceRule({ project, rule: rule.id, body: { ...document, enabled } });
  return withRule(rules, { ...rule, match });
};

const add: Edit = async ({ api, id: project }, rules, draw) => {
  const tag = `tag-${draw(1_000)}`;
  const document = {
    name: `Tags with ${tag}`,
    stage: 'deliver',
    match: { path: 'data.body.n', op: 'gte', value: draw(1_000) },
    action: { type: 'tag', tags: [tag] },
    // Never the same as another's.
    priority: 1_000 + Math.max(0, ...rules.map(({ priority }) => priority)),
  } as const;
  const { id } = await api.createRule({ project, body: document });
  return [...rules, { id, ...document, enabled: true }];
};

const remove: Edit = async ({ api, id: project }, rules, draw) => {
  const rule = pick(rules, draw);
  await api.deleteRule({ project, rule: rule.id });
  return rules.filter(({ id }) => id !== rule.id);
};

const EDITS: readonly Edit[] = [toggle, toggle, reorder, reorder, replace, replace, add, remove];

const nextEdit = (rules: readonly Rule[], draw: Draw): Edit => {
  if (rules.length < 3) return add;
  return rules.length >= MOST_RULES ? remove : pick(EDITS, draw);
};

/** Begins to edit. */
export function edit(project: Project, draw: Draw): Editing {
  const versions = new Map(firstVersion(project));
  const faults: string[] = [];
  let isOver = false;
  const go = async (): Promise<void> => {
    for (let { rules } = project as { readonly rules: readonly Rule[] }; !isOver;) {
      rules = await nextEdit(rules, draw)(project, rules, draw);
      const shown = await project.api.listRules({ project: project.id, query: { limit: 200 } });
      const version = Number(/\d+/.exec(versionOf(shown) ?? '')?.[0]);
      versions.set(version, { rules, at: Date.now() });
      if (!isDeepStrictEqual(outline(shown.items), outline(inOrder(rules)))) {
        faults.push(`version ${version}: the list of rules is not what the editor made`);
      }
      await sleep(PAUSE_MS + draw(MORE_MS));
    }
  };
  const going = go();
  going.catch(() => undefined);
  return {
    versions,
    faults,
    async stop() {
      isOver = true;
      await going;
    },
  };
}

type Outlined = Pick<Rule, 'id' | 'name' | 'match' | 'action' | 'priority' | 'enabled'>;

const inOrder = (rules: readonly Rule[]): readonly Rule[] =>
  [...rules].sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));

const outline = (rules: readonly Outlined[]): unknown =>
  rules.map(({ id, name, match, action, priority, enabled }) => ({
    id,
    name,
    match,
    action,
    priority,
    enabled,
  }));
