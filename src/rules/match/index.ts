/** The door of match trees: compiling one, and running it on an event within a budget. */
export { Account, Subjects, numberSpelled } from './account.js';
export { compileClosures } from './closures.js';
export { leafPlaces } from './leaf-places.js';
export { MATCHED, type Program, type Step, compileProgram, holds, layOut, runProgram } from './match.js';
export { beginsAsNumber, numberIn } from './numbers.js';
export { type Test, compileLeaf } from './operators.js';
export { type KnownStructures, Structures, isStructure } from './structures.js';
