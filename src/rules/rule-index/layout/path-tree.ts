/** The paths that rules name, as a tree of their segments, so that one walk through an event reads all of them. */
import { STAR, parsePath, type Path, type Segment } from '../../path.js';

/** A segment, and the ways on from it. */
export interface PathNode {
  readonly segment: Segment;
  /** The number of the path that ends here, or -1. */
  readonly path: number;
  /** Whether a star leads here, so that an event can have any number of values here. */
  readonly isStarred: boolean;
  readonly children: readonly PathNode[];
  /** The children by key, but for the star; `null` if there are none. */
  readonly byKey: ReadonlyMap<string, PathNode> | null;
  /** The node of every element of an array; `null` if no path has a star here. */
  readonly star: PathNode | null;
}

interface GrowingNode extends PathNode {
  path: number;
  readonly children: GrowingNode[];
  byKey: Map<string, GrowingNode> | null;
  star: GrowingNode | null;
}

const nodeOf = (segment: Segment, isStarred: boolean): GrowingNode => ({
  segment,
  path: -1,
  isStarred,
  children: [],
  byKey: null,
  star: null,
});

/** @returns The root, above the first segments. */
export function layOutPaths(paths: readonly string[]): PathNode {
  const root = nodeOf({ key: '', index: -1 }, false);
  paths.forEach((text, number) => {
    let node = root;
    for (const segment of parsePath(text) as Path) node = childOf(node, segment);
    node.path = number;
  });
  return root;
}

function childOf(node: GrowingNode, segment: Segment): GrowingNode {
  if (segment === STAR) return (node.star ??= nodeOf(STAR, true));
  node.byKey ??= new Map();
  const known = node.byKey.get(segment.key);
  if (known !== undefined) return known;
  const child = nodeOf(segment, node.isStarred);
  node.byKey.set(segment.key, child);
  node.children.push(child);
  return child;
}
