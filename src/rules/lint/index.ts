export { lintRules } from './lint.js';
export type { LintCode, LintPlace, LintWarning } from './warning.js';
