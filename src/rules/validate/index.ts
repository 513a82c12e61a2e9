/** The door of validation: from `unknown` to a rule or to every issue, options and quotas too. */
export { oddPath } from './odd-path.js';
export { type RuleOptions, checkOptions, invalidOption, readPatternOptions } from './options.js';
export { type Plan, QuotaError, assertRuleQuota, ruleLimits } from './quota.js';
export { assertRules } from './rule-list.js';
export {
  type RuleResult,
  type ValidateOptions,
  assertMatch,
  assertOps,
  assertValid,
  checkRule,
  parseRule,
  parseRuleDocument,
  validateRule,
  validateRuleDocument,
} from './rule.js';
