/** The door of rules: all that `headgate` publishes of them. */
export { compileMatch, compileTransform } from './compile.js';
export type { Decision, PatternLimit } from './decision.js';
export { diffJson, type JsonChange } from './transform/index.js';
export {
  dryRun,
  type DryRunBucket,
  type DryRunEndpoint,
  type DryRunOptions,
  type DryRunProgress,
  type DryRunReport,
  type DryRunRule,
  type DryRunSample,
} from './dry-run/index.js';
export { explainMatch, type LeafResult, type LeafTrace, type MatchTrace } from './explain.js';
export { RuleError, type RuleIssue, type RuleIssueCode, type RuleSetIssue } from './issues/index.js';
export {
  type RuleOptions,
  QuotaError,
  assertRuleQuota,
  ruleLimits,
  type Plan,
  parseRule,
  parseRuleDocument,
  validateRule,
  validateRuleDocument,
  type RuleResult,
  type ValidateOptions,
} from './validate/index.js';
export { compareRules, findEvent, type ProofOptions } from './prove.js';
export type { Cause, FoundEvent, OpenReason, RuleComparison } from './reasoning/index.js';
export { lintRules, type LintCode, type LintLocation, type LintWarning } from './lint/index.js';
export {
  type ExportOptions,
  exportRules,
  type ForeignOptions,
  importRules,
  type ImportIssue,
  type ImportOptions,
  type ImportResult,
  type ImportSummary,
  type QueryDocument,
  type QueryGroup,
  type QueryRule,
  type RuleDefaults,
  type RuleFormat,
} from './portable/index.js';
export type { RuleEvaluator } from './rule-evaluator.js';
export type * from './rule.js';
export type { AccessKind, AccessPath, IndexAccess, RuleAccess } from './rule-index/index.js';
export { compileRules, type RuleChange, type RuleSet } from './rule-set.js';
export { ruleSchema } from './schema/rule-schema.js';
export { ruleTemplates, type RuleTemplate } from './templates/index.js';
