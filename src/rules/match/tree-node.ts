/** Match trees arranged by what their leaves read from. */
import { holdsIfAbsent } from '../operators/index.js';
import { childrenOf, isGroup } from '../tree.js';
import { approach, parsePath, type Path, type Segment } from '../path.js';
import type { Leaf, Match } from '../rule.js';

/** A leaf beside its path. */
export interface LeafNode {
  readonly leaf: Leaf;
  /** The path without its last segment, or up to its first star: it leads to the container that the leaf reads from. */
  readonly parent: Path;
  readonly last: Segment;
  /** The path after its first star. */
  readonly rest: Path;
}

/** A group. */
export interface GroupNode {
  readonly isAll: boolean;
  readonly children: readonly TreeNode[];
  /** The longest path that the parents of all its leaves begin with. */
  readonly parent: Path;
}

export type TreeNode = LeafNode | GroupNode;

/**
 * Arranges a tree that has been validated. Calls itself for each level.
 *
 * Neighbors in a group whose parents share a longer path than the whole group does become a group of the same kind.
 * That changes neither the answer nor the order in which leaves are asked.
 */
export function arrange(match: Match): TreeNode {
  if (!isGroup(match)) {
    return { leaf: match, ...approach(parsePath(match.path) as Path) };
  }
  const isAll = 'all' in match;
  const group = groupOf(isAll, childrenOf(match).map(arrange));
  const runs = runsOf(group).map((run) => (run.length === 1 ? (run[0] as TreeNode) : groupOf(isAll, run)));
  return runs.length === 1 ? group : { ...group, children: runs };
}

function groupOf(isAll: boolean, children: readonly TreeNode[]): GroupNode {
  return { isAll, children, parent: children.map(({ parent }) => parent).reduce(sharedStart) };
}

/** The children of a group as runs of neighbors whose parents share more than those of the whole group. */
function runsOf({ children, parent }: GroupNode): TreeNode[][] {
  const runs: TreeNode[][] = [];
  let shared = parent;
  for (const child of children) {
    const both = sharedStart(shared, child.parent);
    if (both.length > parent.length) {
      runs.at(-1)?.push(child);
      shared = both;
    } else {
      runs.push([child]);
      shared = child.parent;
    }
  }
  return runs;
}

/** The common beginning of two paths: the shorter one itself where the longer begins with it. */
function sharedStart(a: Path, b: Path): Path {
  const shorter = a.length <= b.length ? a : b;
  const parted = shorter.findIndex((_, at) => a[at]?.key !== b[at]?.key);
  return parted < 0 ? shorter : shorter.slice(0, parted);
}

/** The leaves of a tree that read from the container at its parent itself. */
export function leavesAt(node: TreeNode, depth: number = node.parent.length): readonly LeafNode[] {
  if (node.parent.length > depth) return [];
  return 'leaf' in node ? [node] : node.children.flatMap((child) => leavesAt(child, depth));
}

/** Whether a tree holds on an event that has none of its paths. */
export function holdsOnNothing(node: TreeNode): boolean {
  if ('leaf' in node) return holdsIfAbsent(node.leaf);
  return node.isAll ? node.children.every(holdsOnNothing) : node.children.some(holdsOnNothing);
}
