/** Plan → flat arrays. The only module that knows how they are encoded. */
export { hashOfAffix, withLength, type Affixes } from './affixes.js';
export { entryOf, isCertainEntry, offsetOfEntry } from './entries.js';
export { NO_KEY } from './key-numbers.js';
export { layOutPlan, type Layout, type LeafTable, type PathLayout } from './layout.js';
export type { PathNode } from './path-tree.js';
export type { Patterns } from './patterns.js';
export { NO_POSTING, isEntry, type IndexLayout, type PathRanges } from './postings.js';
export { Resolution, isMatch, type Records } from './records.js';
export type { GramPass } from './texts.js';
export type { Values } from './values.js';
