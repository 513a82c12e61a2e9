/**
 * The state of the editor: one rule in two views, of which one may be newer. Pure; going back and forth loses nothing.
 */
import { JsonError } from 'headgate/slim';
import { isRefusal, type Printed } from './form.js';
import {
  changeRule,
  compactRule,
  NEW_RULE,
  ownMembers,
  printRule,
  readRule,
  ruleAt,
  type RuleForm,
} from './rule-form.js';
import { rememberValues } from './outline.js';
import { pretty } from './print.js';
import { readSource } from './source.js';

/** Plain JSON, so that a draft of it can be kept. */
export interface Editor {
  readonly view: 'builder' | 'json';
  readonly form: RuleForm;
  readonly text: string;
  /** The view in which something was changed since the two were last alike. */
  readonly newer: 'form' | 'text' | null;
}

/** A change of view that is not possible. */
export interface ViewRefusal {
  /** A sentence. */
  readonly why: string;
  /** The position in the JSON text, in UTF-16 units; null if a pointer tells it. */
  readonly position: number | null;
  readonly pointer: string | null;
}

/** The editor of a form. */
export const editForm = (form: RuleForm = NEW_RULE): Editor => ({
  view: 'builder',
  form,
  text: printRule(form).text,
  newer: null,
});

/**
 * The editor of a rule at hand. It opens in the builder where that can show the rule; its text is then made when it is
 * asked for.
 */
export function editRule(rule: object): Editor {
  const text = ownMembers(rule);
  const form = ruleAt(readSource(text));
  if (isRefusal(form)) return { view: 'json', form: NEW_RULE, text: pretty(text), newer: 'text' };
  rememberValues(form, rule);
  return { view: 'builder', form, text: '', newer: 'form' };
}

/** The editor of a text. It opens in the builder where that can show the rule. */
export function editText(text: string): Editor {
  const asJson: Editor = { view: 'json', form: NEW_RULE, text, newer: 'text' };
  const shown = showBuilder(asJson);
  return 'why' in shown ? asJson : shown;
}

/** The editor with a form that somebody has changed. */
export const changeForm = (editor: Editor, change: Partial<RuleForm>): Editor => ({
  ...editor,
  form: changeRule(editor.form, change),
  // An older text would only make the draft longer.
  text: '',
  newer: 'form',
});

/** The editor with a text that somebody has changed. */
export const changeText = (editor: Editor, text: string): Editor =>
  text === editor.text ? editor : { ...editor, form: NEW_RULE, text, newer: 'text' };

/** The JSON view. The text is the very same where nothing was changed in the builder. */
export const showJson = (editor: Editor): Editor => ({
  ...editor,
  view: 'json',
  ...(editor.newer === 'form' && { text: printRule(editor.form).text, newer: null }),
});

/** The builder, or why it cannot show this text. */
export function showBuilder(editor: Editor): Editor | ViewRefusal {
  if (editor.newer !== 'text') return { ...editor, view: 'builder' };
  try {
    const form = readRule(editor.text);
    if (isRefusal(form)) return { ...form, position: null };
    return { ...editor, view: 'builder', form, newer: null };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { line, column, position } = error;
    const why = `The text stops being JSON at line ${line}, column ${column}.`;
    return { why, position, pointer: null };
  }
}

const compact = new WeakMap<RuleForm, Printed>();

/** The rule as it is in the view that is newer, without its layout, and with what is not filled in. */
export function printed({ form, text, newer }: Editor): Printed {
  if (newer === 'text') return { text, faults: [] };
  const fromForm = compact.get(form) ?? compactRule(form);
  compact.set(form, fromForm);
  return fromForm;
}

/** Whether two editors hold the same rule, whatever their views and the layout of their texts. */
export function isSameRule(one: Editor, other: Editor): boolean {
  const areForms = one.newer !== 'text' && other.newer !== 'text';
  return (areForms && one.form === other.form) || laidOut(one) === laidOut(other);
}

function laidOut(editor: Editor): string {
  const { text } = printed(editor);
  try {
    return pretty(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return text;
  }
}
