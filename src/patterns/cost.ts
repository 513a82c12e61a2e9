/** What a pattern costs: the size of the program that an RE2 makes of it. */
import { isNullable, type Node } from './tree.js';

/** Instructions that every program has. */
const FRAME = 2;

/** The size of the compiled program, a class counting as much as one look-up in it costs. */
export function patternCost(tree: Node): number {
  return FRAME + size(tree);
}

/** Counts, and never expands: `((a{10}){10}){10}` is three multiplications. */
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
  // What may be empty is printed as a choice between some and none.
  const none = min === 0 && nullable ? 1 : 0;
  if (max !== Infinity) return once * max + (max - min) + none;
  return min === 0 ? once + 1 + 2 * none : once * min + 1;
}
