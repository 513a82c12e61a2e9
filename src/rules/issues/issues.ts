/** Problems of rules: their codes, their locations, and the list that collects them. */
import { HeadgateError, type Issue } from '../../errors.js';
import type { PatternProblemCode } from '../../patterns/index.js';

/** Codes of the problems that a rule, a list of rules or an import file can have. */
export type RuleIssueCode =
  | PatternProblemCode
  | 'duplicate_id'
  | 'empty_group'
  | 'file_too_large'
  | 'invalid_endpoint_id'
  | 'invalid_file'
  | 'invalid_json'
  | 'invalid_node'
  | 'invalid_path'
  | 'invalid_stage'
  | 'invalid_type'
  | 'invalid_value'
  | 'missing_key'
  | 'needs_engine'
  | 'not_convertible'
  | 'out_of_bounds'
  | 'quota_exceeded'
  | 'replace_too_long'
  | 'too_large'
  | 'too_many_issues'
  | 'transform_outside_data'
  | 'unknown_action'
  | 'unknown_key'
  | 'unknown_op'
  | 'unknown_operator';

/** One thing wrong in a rule; `pointer` starts at the rule. */
export type RuleIssue = Issue<RuleIssueCode>;

/** One thing wrong in one rule of a list. */
export interface RuleSetIssue extends RuleIssue {
  /** Index of the rule in the list that was passed; absent if a single rule was passed. */
  readonly index?: number;
  /** Id of that rule, where it has one. */
  readonly ruleId?: string;
}

/** All that is wrong with a rule, or with a list of rules, at once. */
export class RuleError extends HeadgateError<'invalid_rule'> {
  override readonly name = 'RuleError';
  /** At least one. In the order of the rules; in each rule an object comes before its members. */
  readonly issues: readonly RuleSetIssue[];

  /** @param issues - At least one. */
  constructor(issues: readonly RuleSetIssue[]) {
    super('invalid_rule', summarize(issues));
    this.issues = issues;
  }
}

/** Issues that a message spells out; the list in the error has them all. */
const SPELLED_OUT = 5;
const SPELLED_POINTER = 120;

function summarize(issues: readonly RuleSetIssue[]): string {
  const lines = issues
    .slice(0, SPELLED_OUT)
    .map((issue) => `  ${whichRule(issue)}${where(issue)}: ${issue.message}`);
  const more = issues.length - lines.length;
  if (more > 0) lines.push(`  and ${more} more in .issues`);
  return `${issues.length === 1 ? '1 problem' : `${issues.length} problems`}\n${lines.join('\n')}`;
}

const whichRule = ({ index, ruleId }: RuleSetIssue): string =>
  index === undefined ? '' : `rule ${index}${ruleId === undefined ? '' : ` (id ${ruleId})`} `;

const where = ({ pointer }: RuleIssue): string =>
  pointer === ''
    ? 'as a whole'
    : pointer.length <= SPELLED_POINTER
      ? pointer
      : `${pointer.slice(0, SPELLED_POINTER)}…`;

/** A location in a document, as a chain from the innermost key to the root; `null` is the root. */
export type Location = { readonly parent: Location; readonly key: string | number } | null;

/** RFC 6901 pointer to a location. */
export function pointerTo(location: Location): string {
  const tokens: string[] = [];
  for (let at = location; at !== null; at = at.parent) {
    tokens.push(`/${String(at.key).replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
  return tokens.reverse().join('');
}

/** Room for issues, shared by the lists that fill one report. */
export interface Capacity {
  /** UTF-16 units of pointers and messages, an issue counting 100 besides. */
  left: number;
  /** Issues; left out, any number. */
  issues?: number;
}

/** Pointers into a deep tree are long: with no bound, a file of 10 MiB could ask for gigabytes of them. */
export const reportCapacity = (issues = Infinity): Required<Capacity> => ({ left: 10_000_000, issues });

/** UTF-16 units of JSON text that one rule may be. */
const MAX_RULE_SIZE = 10 * 1_024 * 1_024;

/** UTF-16 units of JSON text that all rules of a list may be. */
const MAX_LIST_SIZE = 256 * 1_024 * 1_024;

/** Room for rules, shared by the rules of one list: text, an object counting as often as it occurs. */
export const listCapacity = (left = MAX_LIST_SIZE): Capacity => ({ left });

/** Collects the issues of one rule up to a capacity, and counts the size of the rule. Made for one check. */
export class IssueList {
  readonly issues: RuleIssue[] = [];
  readonly #capacity: Capacity;
  readonly #room: Capacity;
  #left = MAX_RULE_SIZE;
  #none = true;

  /**
   * @param capacity - Room for issues, shared by the lists of one report.
   * @param room - Room for the rule, shared by the rules of one list.
   */
  constructor(capacity = reportCapacity(), room = listCapacity()) {
    this.#capacity = capacity;
    this.#room = room;
  }

  /**
   * Counts the size of a part of the rule. JSON text from a file is never too large; objects that share parts, as
   * YAML's aliases make them, can be small in memory and endless as text.
   *
   * @returns Whether there was room for it; if not, that has been added, once.
   */
  takes(units: number, location: Location): boolean {
    const hadRoom = this.#left >= 0 && this.#room.left >= 0;
    this.#left -= units;
    this.#room.left -= units;
    const hasRoom = this.#left >= 0 && this.#room.left >= 0;
    if (!hasRoom && (hadRoom || this.#none)) this.add('too_large', location, TOO_LARGE);
    return hasRoom;
  }

  /** Whether no problem was found. Unlike the list's length, this is right for a full report too. */
  get none(): boolean {
    return this.#none;
  }

  /** Whether checking can stop: a problem was found, and there is no room to report another. */
  get done(): boolean {
    return this.full && !this.#none;
  }

  /** Whether there is no room for another issue. */
  get full(): boolean {
    return this.#capacity.left <= 0 || this.#capacity.issues === 0;
  }

  /** Adds an issue; the last one that there is room for says that there may be more. */
  add(code: RuleIssueCode, location: Location, message: string): void {
    this.#none = false;
    if (this.full) return;
    const pointer = pointerTo(location);
    this.#capacity.left -= pointer.length + message.length + 100;
    if (this.#capacity.issues !== undefined) this.#capacity.issues--;
    this.issues.push({ code, pointer, message });
    if (this.#capacity.left <= 0) this.issues.push(FULL);
  }
}

const TOO_LARGE =
  'from here on there is too much: as JSON text a rule has at most 10 MiB, an imported list too, and any other list 256 MiB; a part that occurs several times counts each time';

const FULL: RuleIssue = /* @__PURE__ */ Object.freeze({
  code: 'too_many_issues',
  pointer: '',
  message: 'more problems than can be listed; fix these and check again',
});
