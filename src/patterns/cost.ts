/** The cost of a pattern: the size of the program to which an RE2 compiles it. */
import { isNullable, type Node } from './tree.js';

/** Instructions of every program. */
const FRAME = 2;

/** The size of the compiled program; a class counts as its weight. */
export function patternCost(tree: Node): number {
  return FRAME + size(tree);
}

/** Multiplies and never expands: `((a{10}){10}){10}` is three multiplications. */
function size(node: Node): number {
  switch (node.kind) {
    case 'empty':
    case 'character':
    case 'assertion':
      return 1;
    case 'class':
      return node.weight;
    case 'group':
      return 2 + size(node.node);
    case 'sequence':
      return sum(node.nodes);
    case 'choice':
      return sum(node.nodes) + node.nodes.length - 1;
    case 'repeat':
      return repeated(size(node.node), node.min, node.max, isNullable(node.node));
  }
}

const sum = (nodes: readonly Node[]): number => nodes.reduce((total, node) => total + size(node), 0);

function repeated(once: number, min: number, max: number, nullable: boolean): number {
  if (max === 0) return 1;
  // An optional part that can be empty is printed as a choice, which is one instruction more.
  const none = min === 0 && nullable ? 1 : 0;
  if (max !== Infinity) return once * max + (max - min) + none;
  return min === 0 ? once + 1 + 2 * none : once * min + 1;
}
