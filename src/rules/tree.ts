/** Match trees, node by node. */
import type { AllGroup, AnyGroup, Match } from './rule.js';

/** True for a node that has children. */
export const isGroup = (node: Match): node is AllGroup | AnyGroup => !('op' in node);

/** The children of a group. */
export const childrenOf = (group: AllGroup | AnyGroup): readonly Match[] =>
  'all' in group ? group.all : group.any;
