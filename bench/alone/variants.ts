/** Many trees that answer alike and are all different, as the rules of a service are. */
import type { Leaf, Match } from '../../src/index.js';

/** Trees, of which the first is the tree itself. */
export const variants = (match: Match, count: number): readonly Match[] =>
  Array.from({ length: count }, (_, nth) => (nth === 0 ? match : variant(match, nth)));

/** Half of them have `in`, with a value that no event has, for `eq`; lists are in another order. */
function variant(match: Match, nth: number): Match {
  if ('all' in match) return { all: match.all.map((child) => variant(child, nth)) };
  if ('any' in match) return { any: match.any.map((child) => variant(child, nth)) };
  return variantOf(match, nth);
}

function variantOf(leaf: Leaf, nth: number): Leaf {
  if (leaf.op === 'in' || leaf.op === 'not_in') return { ...leaf, value: turned(leaf.value, nth) };
  if (leaf.op !== 'eq' || nth % 2 === 0) return leaf;
  return { path: leaf.path, op: 'in', value: turned([leaf.value, `no event has ${nth}`], nth >> 1) };
}

const turned = <T>(list: readonly T[], by: number): T[] => {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
};
