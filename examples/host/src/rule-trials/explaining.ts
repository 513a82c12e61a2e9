/** Why a match tree matched an event, or did not, as a list of the tree's nodes. Pure. */
import { explainMatch, type Match, type PatternOptions } from 'headgate';
import { shortened } from '../errors/shortened.js';
import type { ExplainedLeaf, ExplainedNode, Explanation } from './routes.js';
import { createShowValue, type ShowValue } from './shown-value.js';

/** Nodes of one tree that are shown. */
const MOST_NODES = 500;

type LeafTrace = ReturnType<typeof explainMatch>['leaves'][number];
type Result = ExplainedNode['result'];

/** The explanation of an action that is tried without a match tree. */
export const NO_TREE: Explanation = { matched: true, decided_by: null, nodes: [], is_cut: false };

/**
 * Explains a match.
 *
 * @param patterns - The work that the tree may do; left out, the library's.
 * @throws RuleError for a tree that is not valid.
 */
export function explanationOf(
  match: Match,
  event: unknown,
  patterns: PatternOptions | undefined,
  show: ShowValue = createShowValue(),
): Explanation {
  const { matched, leaves } = explainMatch(match, event, patterns === undefined ? {} : { patterns });
  const last = lastReachedOf(leaves);
  const deciding = last.at(-1) ?? NONE;
  const { nodes, isCut } = nodesOf(match, ({ leaf, end, ...node }) => {
    const result =
      leaf === null ? resultOf(leaves, last, node.begin, end) : (leaves[leaf]?.result ?? 'not_reached');
    return {
      ...{ depth: node.depth, kind: node.kind, result, is_deciding: leaf === deciding },
      leaf: leaf === null ? null : shownLeaf(leaves[leaf] as LeafTrace, show),
    };
  });
  const decided = leaves[deciding];
  return {
    matched,
    decided_by: decided === undefined ? null : shownLeaf(decided, show),
    nodes,
    is_cut: isCut,
  };
}

/** No leaf. */
const NONE = -1;

/** For each leaf, the last one up to it that was tried. */
function lastReachedOf(leaves: readonly LeafTrace[]): readonly number[] {
  let last = NONE;
  return leaves.map(({ result }, i) => (last = result === 'not_reached' ? last : i));
}

/** A group is decided by the last of its leaves that was tried: what holds is left at once, and so is what does not. */
function resultOf(leaves: readonly LeafTrace[], last: readonly number[], begin: number, end: number): Result {
  const deciding = last[end - 1] ?? NONE;
  if (deciding < begin) return 'not_reached';
  return leaves[deciding]?.result === 'held' ? 'held' : 'not_held';
}

const shownLeaf = ({ path, op, value, ...seen }: LeafTrace, show: ShowValue): ExplainedLeaf => ({
  path: shortened(path),
  op,
  value: show(value),
  found: show(seen.actual),
  is_present: seen.present,
  element: seen.element === undefined ? null : shortened(seen.element),
});

/** A node on the way through a tree. */
interface Visited {
  readonly depth: number;
  readonly kind: ExplainedNode['kind'];
  /** The number of the leaf; null for a group. */
  readonly leaf: number | null;
  /** Leaves of a group: from this one to before `end`. */
  readonly begin: number;
  end: number;
}

/** The first nodes of a tree of any depth, in document order. */
function nodesOf(
  match: Match,
  nodeOf: (visited: Visited) => ExplainedNode,
): { readonly nodes: ExplainedNode[]; readonly isCut: boolean } {
  const shown: Visited[] = [];
  const pending: (Visited | { readonly match: Match; readonly depth: number })[] = [{ match, depth: 0 }];
  let [leaves, all] = [0, 0];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!('match' in next)) {
      next.end = leaves;
      continue;
    }
    const group = groupOf(next.match);
    const leaf = group === null ? leaves++ : null;
    const visited: Visited = {
      depth: next.depth,
      kind: group?.kind ?? 'leaf',
      leaf,
      begin: leaves,
      end: leaves,
    };
    if (++all <= MOST_NODES) shown.push(visited);
    if (group === null) continue;
    pending.push(visited);
    const depth = next.depth + 1;
    for (const member of [...group.members].reverse()) pending.push({ match: member, depth });
  }
  return { nodes: shown.map(nodeOf), isCut: all > MOST_NODES };
}

function groupOf(match: Match): { readonly kind: 'all' | 'any'; readonly members: readonly Match[] } | null {
  if ('all' in match) return { kind: 'all', members: match.all };
  return 'any' in match ? { kind: 'any', members: match.any } : null;
}
