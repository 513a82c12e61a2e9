export { BitSet } from './bit-set.js';
export { describeAccess, type AccessKind, type AccessPath, type RuleAccess } from './describe.js';
export { Segment } from './segment.js';
