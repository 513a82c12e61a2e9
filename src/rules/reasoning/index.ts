/** The door of reasoning: what match trees imply about every event. */
export { type Tree, compileTree } from './condition.js';
export { Drops } from './drops.js';
export { type Effort, Efforts } from './effort.js';
export type { Conflict } from './known.js';
export { refute } from './refutation.js';
