/** The door of values: how rules see numbers, arrays and objects, and what they spend on one event. */
export { Account, Subjects, numberSpelled } from './account.js';
export { ManyValues } from './many-values.js';
export { equalTo, memberOf, type SureTest } from './equal.js';
export { beginsAsNumber, numberIn } from './numbers.js';
export { type KnownStructures, Structures, isStructure } from './structures.js';
