/** Finds the rules that match an event: rules → plan → layout; event → matches. */
export { BitSet } from './bit-set.js';
export { newProbe, type Probe } from './match/index.js';
export type { AccessKind, AccessPath, IndexAccess, RuleAccess } from './plan/index.js';
export { Segment, type CompileContext } from './segment.js';
