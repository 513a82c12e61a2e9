/** The paths that rules name, as a tree of their segments, so that one walk through an event reads all of them. */
import { parsePath, type Path, type Segment } from '../../path.js';

/** A segment, and the ways on from it. */
export interface PathNode {
  readonly segment: Segment;
  /** The number of the path that ends here, or -1. */
  readonly path: number;
  readonly children: readonly PathNode[];
  /** The children by key; `null` where there are none. */
  readonly byKey: ReadonlyMap<string, PathNode> | null;
}

interface GrowingNode extends PathNode {
  path: number;
  readonly children: GrowingNode[];
  byKey: Map<string, GrowingNode> | null;
}

const nodeOf = (segment: Segment): GrowingNode => ({ segment, path: -1, children: [], byKey: null });

/** @returns The root, above the first segments. */
export function layOutPaths(paths: readonly string[]): PathNode {
  const root = nodeOf({ key: '', index: -1 });
  paths.forEach((text, number) => {
    let node = root;
    for (const segment of parsePath(text) as Path) node = childOf(node, segment);
    node.path = number;
  });
  return root;
}

function childOf(node: GrowingNode, segment: Segment): GrowingNode {
  node.byKey ??= new Map();
  const known = node.byKey.get(segment.key);
  if (known !== undefined) return known;
  const child = nodeOf(segment);
  node.byKey.set(segment.key, child);
  node.children.push(child);
  return child;
}
