export { compileMatch, compileTransform } from './compile.js';
export type { Decision, Limit } from './decision.js';
export { diffJson, type Change } from './diff.js';
export {
  dryRun,
  type DryRunEndpoint,
  type DryRunOptions,
  type DryRunReport,
  type DryRunRule,
  type DryRunSample,
} from './dry-run.js';
export { explainMatch, type LeafResult, type LeafTrace, type MatchTrace } from './explain.js';
export { RuleError, type RuleIssue, type RuleIssueCode, type RuleSetIssue } from './issues.js';
export type { RuleOptions } from './options.js';
export { lint } from './lint/lint.js';
export type { LintCode, LintPlace, LintWarning } from './lint/warning.js';
export {
  exportRules,
  importRules,
  type ImportIssue,
  type ImportOptions,
  type ImportResult,
  type ImportSummary,
} from './portable.js';
export { QuotaError, assertRuleQuota, ruleLimits, type Plan } from './quota.js';
export type * from './rule.js';
export type { AccessKind, AccessPath, RuleAccess } from './rule-index/index.js';
export { compileRules, type RuleChange, type RuleSet } from './rule-set.js';
export { ruleSchema } from './schema/schemas.js';
export { ruleTemplates, type RuleTemplate } from './templates.js';
export { parseRule, validateRule, validateRuleDocument, type RuleResult } from './validate.js';
