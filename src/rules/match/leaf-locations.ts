/** Locations of the leaves of a match tree. */
import type { Location } from '../issues/index.js';
import type { Match } from '../rule.js';
import { childrenOf, isGroup } from '../tree.js';

/** The location of each leaf in a tree, in document order. */
export function leafLocations(match: Match): Location[] {
  const locations: Location[] = [];
  const pending: { node: Match; location: Location }[] = [{ node: match, location: null }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, location } = next;
    if (!isGroup(node)) {
      locations.push(location);
      continue;
    }
    const parent = { parent: location, key: 'all' in node ? 'all' : 'any' };
    const children = childrenOf(node).map((child, key) => ({ node: child, location: { parent, key } }));
    for (const child of children.reverse()) pending.push(child);
  }
  return locations;
}
