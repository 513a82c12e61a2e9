/** The door of import and export. */
export { exportRules } from './export.js';
export {
  type ImportIssue,
  type ImportOptions,
  type ImportResult,
  type ImportSummary,
  importRules,
} from './import.js';
