/** Match trees as queries of react-querybuilder. */
import type { Json } from '../../json.js';
import type { Match } from '../rule.js';
import { childrenOf, isGroup } from '../tree.js';

/** A rule of a query: a member, an operator and a value. */
export interface QueryRule {
  readonly field: string;
  readonly operator: string;
  readonly value: Json;
}

/** A group of a query. */
export interface QueryGroup {
  readonly combinator: 'and' | 'or';
  readonly rules: readonly (QueryGroup | QueryRule)[];
}

/** Before the operators of rules, which mean something else than those of react-querybuilder with the same name. */
const PREFIX = 'headgate:';

/** The query that says the same as a match tree. By a loop. */
export function toQuery(match: Match): QueryGroup {
  const root: { combinator: 'and' | 'or'; rules: (QueryGroup | QueryRule)[] } = {
    combinator: 'and',
    rules: [],
  };
  const pending: { readonly node: Match; readonly into: (QueryGroup | QueryRule)[] }[] = [
    { node: match, into: root.rules },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, into } = next;
    if (!isGroup(node)) {
      into.push({ field: node.path, operator: `${PREFIX}${node.op}`, value: node.value ?? null });
      continue;
    }
    const rules: (QueryGroup | QueryRule)[] = [];
    into.push({ combinator: 'all' in node ? 'and' : 'or', rules });
    for (const child of childrenOf(node).toReversed()) pending.push({ node: child, into: rules });
  }
  const [first] = root.rules;
  return first !== undefined && 'rules' in first ? first : root;
}
