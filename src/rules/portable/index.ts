/** The door of import and export. */
export {
  type ImportIssue,
  type ImportOptions,
  type ImportResult,
  type ImportSummary,
  exportRules,
  importRules,
} from './portable.js';
