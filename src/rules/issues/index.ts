/** The door of issues: their codes, their places, and the wording that all rooms share. */
export { guess, isNegation, meaningOf } from './guess.js';
export {
  type Capacity,
  IssueList,
  type Place,
  RuleError,
  type RuleIssue,
  type RuleIssueCode,
  type RuleSetIssue,
  listCapacity,
  pointerTo,
  reportCapacity,
} from './issues.js';
export { show } from './wording.js';
