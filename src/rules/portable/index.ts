/** The door of import and export. */
export type { ForeignOptions } from './foreign.js';
export type { QueryGroup, QueryRule, RuleDefaults, RuleFormat } from '../formats/index.js';
export { exportRules, type ExportOptions, type QueryDocument } from './export.js';
export {
  type ImportIssue,
  type ImportOptions,
  type ImportResult,
  type ImportSummary,
  importRules,
} from './import.js';
