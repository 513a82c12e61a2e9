/** The door of import and export. */
export type { ForeignOptions } from './foreign.js';
export type { RuleDefaults, RuleFormat } from '../formats/index.js';
export type { QueryGroup, QueryRule } from './to-query.js';
export { exportRules, type ExportOptions, type QueryDocument } from './export.js';
export {
  type ImportIssue,
  type ImportOptions,
  type ImportResult,
  type ImportSummary,
  importRules,
} from './import.js';
