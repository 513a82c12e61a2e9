/** The door of reasoning: what match trees imply about every event. */
export type { Cause } from './cause.js';
export { compare, type RuleComparison, type Side } from './compare.js';
export { type Tree, compileTree } from './condition.js';
export { Drops } from './drops.js';
export { type Effort, Efforts } from './effort.js';
export { MAX_WORK, eventFor, type FoundEvent, type OpenReason } from './find-event.js';
export type { Conflict } from './known.js';
export { refute } from './refutation.js';
