/** The entry of each contender's bundle. */
export { compileMatch, compileRules } from '../../src/index.js';
