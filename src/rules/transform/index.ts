/** The door of transforms: ops, the event under change, and the differences between two events. */
export { type JsonChange, boundedDiff, diffJson } from './diff.js';
export type { CompiledOp } from './op.js';
export { Projection } from './projection.js';
export { compileOps } from './transform.js';
