export {
  type ImportIssue,
  type ImportOptions,
  type ImportResult,
  type ImportSummary,
  exportRules,
  importRules,
} from './portable.js';
