/** The door of lint: warnings about rules that are valid. */
export { lintRules } from './lint.js';
export type { LintCode, LintLocation, LintWarning } from './warning.js';
