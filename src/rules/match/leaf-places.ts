/** Where the leaves of a match tree stand. */
import type { Place } from '../issues/index.js';
import type { Match } from '../rule.js';
import { childrenOf, isGroup } from '../tree.js';

/** Where each leaf stands in a tree, in document order. */
export function leafPlaces(match: Match): Place[] {
  const places: Place[] = [];
  const pending: { node: Match; place: Place }[] = [{ node: match, place: null }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, place } = next;
    if (!isGroup(node)) {
      places.push(place);
      continue;
    }
    const parent = { parent: place, key: 'all' in node ? 'all' : 'any' };
    const children = childrenOf(node).map((child, key) => ({ node: child, place: { parent, key } }));
    for (const child of children.reverse()) pending.push(child);
  }
  return places;
}
