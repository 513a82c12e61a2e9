/** The entry point of issues: their codes, their locations, and the wording that all modules share. */
export { guess, isNegation, meaningOf } from './guess.js';
export {
  type Capacity,
  IssueList,
  type Location,
  RuleError,
  type RuleIssue,
  type RuleIssueCode,
  type RuleSetIssue,
  listCapacity,
  pointerTo,
  reportCapacity,
} from './issues.js';
export { show } from './wording.js';
