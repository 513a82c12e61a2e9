/** The door of match trees: compiling one, and running it on an event within a budget. */
export { compileClosures } from './closures.js';
export { compileLeaf, compileMany, testOf, valuesBelow } from './leaf.js';
export { leafLocations } from './leaf-locations.js';
export { MATCHED, type Program, type Step, compileProgram, holds, layOut, runProgram } from './match.js';
