/** Random rule sets, each with a copy that differs by one small edit. */
import fc from 'fast-check';
import type { Action, Leaf, Match, Rule } from '../../../src/index.js';
import { createArbitraries } from '../../../src/testing/arbitraries/index.js';

const arbitraries = createArbitraries(fc);

/** A tree with one node changed: the n-th, counted from the root. */
function withNode(match: Match, n: number, change: (node: Match) => Match): Match {
  let count = 0;
  const visit = (node: Match): Match => {
    const isIt = count++ === n;
    const changed: Match =
      'all' in node ? { all: node.all.map(visit) } : 'any' in node ? { any: node.any.map(visit) } : node;
    return isIt ? change(changed) : changed;
  };
  return visit(match);
}

function nodesIn(match: Match): number {
  const children: readonly Match[] = 'all' in match ? match.all : 'any' in match ? match.any : [];
  return children.reduce((sum, child) => sum + nodesIn(child), 1);
}

const negations: Readonly<Record<string, string>> = {
  ...{ eq: 'neq', neq: 'eq', contains: 'not_contains', not_contains: 'contains', in: 'not_in', not_in: 'in' },
  ...{ matches: 'not_matches', not_matches: 'matches', exists: 'missing', missing: 'exists' },
  ...{ gt: 'gte', gte: 'gt', lt: 'lte', lte: 'lt', starts_with: 'contains', ends_with: 'contains' },
};

/** Another leaf much like one, or the same in other words. */
function leavesLike(leaf: Leaf): readonly Match[] {
  const as = (change: object): Leaf => ({ ...leaf, ...change });
  const negated = as({ op: negations[leaf.op] });
  const same: Match[] = [{ all: [leaf] }, { any: [leaf, leaf] }];
  if (typeof leaf.value === 'number') return [negated, as({ value: leaf.value + 1 }), ...same];
  if (typeof leaf.value === 'string') {
    const isPattern = leaf.op === 'matches' || leaf.op === 'not_matches';
    return isPattern ? [negated, ...same] : [negated, as({ value: `${leaf.value}a` }), ...same];
  }
  if (leaf.op === 'in') {
    return [negated, { any: [as({ value: leaf.value.slice(1) }), leaf] }, ...same];
  }
  return [negated, ...same];
}

const isLeaf = (node: Match): node is Leaf => 'op' in node;

function likeNode(node: Match, choice: number, other: Leaf): Match {
  if (isLeaf(node)) {
    const all = [...leavesLike(node), other, { all: [node, other] }, { any: [node, other] }];
    return all[choice % all.length] as Match;
  }
  const children = 'all' in node ? node.all : node.any;
  const as = (list: readonly Match[]): Match => ('all' in node ? { all: list } : { any: list });
  const all = [
    as([...children].reverse()),
    as([...children, other]),
    as(children.length > 1 ? children.slice(1) : [other]),
    as([...children, ...children.slice(0, 1)]),
    'all' in node ? { any: children } : { all: children },
  ];
  return all[choice % all.length] as Match;
}

/** Numbers from which an edit is made, and what it may put in. */
interface Edit {
  readonly kind: string;
  readonly at: number;
  readonly node: number;
  readonly choice: number;
  readonly leaf: Leaf;
  readonly action: Action;
  readonly rule: Rule;
}

function edited(
  rules: readonly Rule[],
  { kind, at, node, choice, leaf, action, rule }: Edit,
): readonly Rule[] {
  const index = rules.length === 0 ? 0 : at % rules.length;
  const old = rules[index];
  if (old === undefined || kind === 'add') {
    return [...rules.slice(0, index), { ...rule, id: 'an added rule' }, ...rules.slice(index)];
  }
  const changed = {
    match: {
      ...old,
      match: withNode(old.match, node % nodesIn(old.match), (one) => likeNode(one, choice, leaf)),
    },
    action: { ...old, action },
    priority: { ...old, priority: choice % 10 },
    enabled: { ...old, enabled: old.enabled === false },
    rename: { ...old, name: `${old.name} and more` },
  }[kind];
  if (kind === 'split' && 'any' in old.match) {
    const parts = old.match.any.map((part, i) => ({
      ...old,
      id: `${old.id} part ${String(i)}`,
      match: part,
    }));
    return rules.flatMap((one, i) => (i === index ? parts : [one]));
  }
  return rules.flatMap((one, i) => (i !== index ? [one] : changed === undefined ? [] : [changed]));
}

const edit = fc.record({
  kind: fc.constantFrom(
    'match',
    'match',
    'match',
    'match',
    'action',
    'priority',
    'enabled',
    'remove',
    'add',
    'split',
    'rename',
  ),
  at: fc.nat(99),
  node: fc.nat(99),
  choice: fc.nat(99),
  leaf: arbitraries.leaf(),
  action: arbitraries.action(),
  rule: arbitraries.rule(),
});

/** Rules before an edit, and after. */
export const editedRules = fc
  .tuple(arbitraries.rules({ maxRules: 8 }), edit)
  .map(([before, one]) => ({ before, after: edited(before, one), kind: one.kind }));
