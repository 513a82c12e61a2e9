/** The options of an import that say how conditions of another system become rules. */
import { isObject } from '../../json.js';
import { type Context, type RuleDefaults, type RuleFormat, ruleFormats } from '../formats/index.js';
import { IssueList, show } from '../issues/index.js';
import { parsePath, STAR } from '../path.js';
import { checkOptions, checkRule, invalidOption } from '../validate/index.js';

/** How to read conditions of other systems. */
export interface ForeignOptions {
  /** The system whose conditions the file holds. @defaultValue rule documents of Headgate */
  readonly from?: RuleFormat;
  /** With `from`: members of every rule that its entry does not have itself, such as its `action`. */
  readonly as?: RuleDefaults;
  /** With `from`: the path of the object that the conditions are about, such as `data.body`. @defaultValue the event */
  readonly at?: string;
  /**
   * With `from`: what you know of all events, so that more is converted. `kinds`: each value is of the kind that it is
   * compared with, or `null`, or absent. `objects`: what is read by name is read from objects.
   *
   * @defaultValue nothing
   */
  readonly assume?: readonly ('kinds' | 'objects')[];
}

/** The format of a file of another system, and how it is read. */
export interface Foreign {
  readonly format: RuleFormat;
  readonly defaults: RuleDefaults;
  readonly context: Context;
}

const MEMBERS = ['name', 'description', 'stage', 'action', 'priority'];
const ASSUMPTIONS = ['kinds', 'objects'];

/** @throws {@link OptionError} `invalid_option` */
export function readForeign(options: ForeignOptions): Foreign | null {
  const { from, as = {}, at = '', assume = [] } = options;
  if (from === undefined) {
    const idle = (['as', 'at', 'assume'] as const).find((key) => options[key] !== undefined);
    if (idle === undefined) return null;
    throw invalidOption(`${idle} is for conditions of another system; say which with from`);
  }
  if (!ruleFormats.includes(from)) {
    throw invalidOption(`from must be one of ${ruleFormats.join(', ')}; it is ${show(from)}`);
  }
  if (!Array.isArray(assume) || !assume.every((word) => ASSUMPTIONS.includes(word as string))) {
    throw invalidOption(`assume must be an array of ${ASSUMPTIONS.join(' and ')}; it is ${show(assume)}`);
  }
  const [kinds, objects] = ASSUMPTIONS.map((word) => assume.includes(word as 'kinds'));
  return {
    format: from,
    defaults: readDefaults(as),
    context: { kinds: kinds === true, objects: objects === true, root: rootOf(at) },
  };
}

function rootOf(at: unknown): readonly string[] {
  if (at === '') return [];
  const path = typeof at === 'string' ? parsePath(at) : 'a path is text';
  if (typeof path === 'string') throw invalidOption(`at must be a path; it is ${show(at)}: ${path}`);
  if (path.includes(STAR)) throw invalidOption(`at must be a path to one object; ${show(at)} has a star`);
  return path.map(({ key }) => key);
}

/** Checks the members by putting them into a rule that is valid without them. */
function readDefaults(as: unknown): RuleDefaults {
  checkOptions('as in the options of importRules', as, MEMBERS);
  const issues = new IssueList();
  const match = { path: 'type', op: 'exists' };
  const usual = { name: 'a', stage: 'deliver', priority: 0, action: { type: 'drop' } };
  checkRule('document', { ...usual, ...(isObject(as) ? as : {}), match }, issues);
  const [issue] = issues.issues;
  if (issue !== undefined) {
    throw invalidOption(`as in the options of importRules: ${issue.pointer}: ${issue.message}`);
  }
  return as as RuleDefaults;
}
