/** Before the tests: `headgate` is the built package here. */
export { assertBuilt as default } from '../../../test/files.js';
