/** A whole rule as the builder shows it, read from its JSON and printed back to it. */
import { stringifyJson } from 'headgate/slim';
import { type ActionForm, NEW_ACTION, printAction, readAction } from './action-form.js';
import { isRefusal, type FormFault, type Printed, type Refusal, withKey } from './form.js';
import { type MatchForm, NEW_MATCH, printMatch, readMatch } from './match-form.js';
import { pretty } from './print.js';
import {
  childrenOf,
  readSource,
  repeatedNames,
  sliceOf,
  type Source,
  type SourceNode,
  valueOf,
} from './source.js';
import { textOf } from './value-field.js';

/** A part of a rule: in a form, or as its JSON text with the reason why no form can show it. */
export type Section<Form> =
  | { readonly kind: 'form'; readonly form: Form }
  | ({ readonly kind: 'source'; readonly text: string } & Refusal);

/** A rule while it is written. It is plain JSON itself, so that a draft can be kept. */
export interface RuleForm {
  readonly name: string;
  readonly description: string;
  /** As it was typed. */
  readonly priority: string;
  readonly match: Section<MatchForm>;
  readonly action: Section<ActionForm>;
  /** The members in the order of the text that the rule came from. */
  readonly keys: readonly string[];
  /** JSON texts of the members that the form does not show, `stage` among them. */
  readonly others: Readonly<Record<string, string>>;
}

/** Members of a rule, in the order in which a new one has them. */
const RULE_KEYS = ['name', 'description', 'stage', 'match', 'action', 'priority'] as const;
const SHOWN = ['name', 'description', 'priority', 'match', 'action'];

/** The form of a new rule. */
export const NEW_RULE: RuleForm = {
  name: '',
  description: '',
  priority: '100',
  match: { kind: 'form', form: NEW_MATCH },
  action: { kind: 'form', form: NEW_ACTION },
  keys: ['name', 'stage', 'match', 'action', 'priority'],
  others: { stage: '"deliver"' },
};

/**
 * Reads the JSON of a rule. Match and action that no form can show stay as text.
 *
 * @returns The form, or the reason why only the JSON editor shows this rule.
 * @throws JsonError for text that is not JSON.
 */
export const readRule = (text: string): RuleForm | Refusal => ruleAt(readSource(text));

/** Reads a rule from a text that is known to be JSON. */
export function ruleAt(source: Source): RuleForm | Refusal {
  const root = source.nodes[0]!;
  if (root.type !== 'object') return { pointer: '', why: 'A rule is an object; this is something else.' };
  const [repeated] = repeatedNames(source, root);
  if (repeated !== undefined) {
    return { pointer: '', why: `The rule has the member ${JSON.stringify(repeated)} twice.` };
  }
  const members = childrenOf(source, root);
  const read: { -readonly [K in keyof RuleForm]: RuleForm[K] } = {
    ...NEW_RULE,
    priority: '',
    keys: members.map(({ key }) => String(key)),
    others: Object.fromEntries(
      members
        .filter(({ key }) => !SHOWN.includes(String(key)))
        .map((node) => [node.key, sliceOf(source, node)]),
    ),
  };
  for (const node of members) {
    const refusal = readMember(source, node, read);
    if (refusal !== null) return refusal;
  }
  return read;
}

function readMember(
  source: Source,
  node: SourceNode,
  into: { -readonly [K in keyof RuleForm]: RuleForm[K] },
): Refusal | null {
  switch (node.key) {
    case 'name':
    case 'description':
      if (node.type !== 'string') return { pointer: `/${node.key}`, why: `/${node.key} is not a string.` };
      into[node.key] = valueOf(source, node) as string;
      return null;
    case 'priority':
      if (node.type !== 'number') return { pointer: '/priority', why: '/priority is not a number.' };
      into.priority = sliceOf(source, node);
      return null;
    case 'match':
      into.match = sectionOf(source, node, readMatch(source, node));
      return null;
    case 'action':
      into.action = sectionOf(source, node, readAction(source, node));
      return null;
    default:
      return null;
  }
}

function sectionOf<Form extends object>(
  source: Source,
  node: SourceNode,
  read: Form | Refusal,
): Section<Form> {
  if (!isRefusal(read)) return { kind: 'form', form: read };
  return { kind: 'source', text: sliceOf(source, node), ...read };
}

/**
 * A match by itself, as the builder shows it.
 *
 * @throws JsonError for text that is not JSON.
 */
export function sectionOfMatch(text: string): Section<MatchForm> {
  const source = readSource(text);
  const root = source.nodes[0]!;
  return sectionOf(source, root, readMatch(source, root));
}

/** The JSON text of a form in the usual layout. If a field is not filled in, the text is not JSON at that position. */
export function printRule(form: RuleForm): Printed {
  const printed = compactRule(form);
  return printed.faults.length === 0 ? { ...printed, text: pretty(printed.text) } : printed;
}

/** The same text without its layout, which takes much less time. */
export function compactRule(form: RuleForm): Printed {
  const match = printSection(form.match, printMatch);
  const action = printSection(form.action, printAction);
  const priority = textOf({ kind: 'number', text: form.priority });
  const texts: Readonly<Record<string, string>> = {
    ...form.others,
    name: JSON.stringify(form.name),
    description: JSON.stringify(form.description),
    ...{ priority: priority.text, match: match.text, action: action.text },
  };
  const members = form.keys.map((key) => `${JSON.stringify(key)}: ${texts[key] ?? 'null'}`);
  const own: FormFault[] = priority.fault === null ? [] : [{ pointer: '/priority', message: priority.fault }];
  const faults = [...match.faults, ...action.faults, ...own];
  return { text: `{\n  ${members.join(',\n  ')}\n}`, faults };
}

/** The JSON text of a part. */
export const printSection = <Form>(section: Section<Form>, print: (form: Form) => Printed): Printed =>
  section.kind === 'form' ? print(section.form) : { text: section.text, faults: [] };

/**
 * The form with members changed. A description that is emptied goes away, and one that is written comes after the name.
 */
export function changeRule(form: RuleForm, change: Partial<RuleForm>): RuleForm {
  const changed = { ...form, ...change };
  const isEmptied = change.description === '';
  const needed = changed.description === '' ? RULE_KEYS.filter((key) => key !== 'description') : RULE_KEYS;
  const kept = isEmptied ? changed.keys.filter((key) => key !== 'description') : changed.keys;
  const keys = needed.reduce<readonly string[]>((all, key) => withKey(all, key, RULE_KEYS), kept);
  return { ...changed, keys, others: { stage: '"deliver"', ...changed.others } };
}

/**
 * The text of a rule that the service gave, or of one without a stage, with the members that are the author's alone.
 */
export const textOfRule = (rule: object): string => pretty(ownMembers(rule));

/** The same text without its layout. */
export function ownMembers(rule: object): string {
  const given: Readonly<Record<string, unknown>> = { stage: 'deliver', ...rule };
  const own = RULE_KEYS.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]);
  return stringifyJson(Object.fromEntries(own));
}
