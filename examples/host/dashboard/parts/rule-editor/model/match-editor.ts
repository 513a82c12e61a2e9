/** The state of an editor of conditions alone, such as those of a search: one match in two views. Pure. */
import { JsonError } from 'headgate/slim';
import type { ViewRefusal } from './editor.js';
import { type Findings, findingsOf, readJson, type TextFault } from './faults.js';
import type { FormFault, Printed } from './form.js';
import { type MatchForm, NEW_MATCH, printMatch } from './match-form.js';
import { pretty } from './print.js';
import { printSection, type Section, sectionOfMatch } from './rule-form.js';
import { readSource } from './source.js';

export interface MatchEditor {
  readonly view: 'builder' | 'json';
  readonly match: Section<MatchForm>;
  /** The JSON of the match; only the JSON view has it. */
  readonly text: string;
}

/** One condition, in no group until there are two. */
const FIRST: Section<MatchForm> = { kind: 'form', form: { ...NEW_MATCH, isBare: true } };
const builder = (match: Section<MatchForm>): MatchEditor => ({ view: 'builder', match, text: '' });
const asJson = (text: string): MatchEditor => ({
  ...builder(FIRST),
  view: 'json',
  text,
});

/**
 * The editor of a match. It opens in the builder where that can show the match.
 *
 * @param text - JSON; empty for a new one.
 */
export function editMatch(text: string): MatchEditor {
  if (text.trim() === '') return builder(FIRST);
  const shown = showMatchBuilder(asJson(text));
  if ('why' in shown) return asJson(text);
  return shown.match.kind === 'form' ? shown : asJson(pretty(text));
}

/** The JSON view. A text with fields that are not filled in is not JSON there. */
export function showMatchJson({ match }: MatchEditor): MatchEditor {
  const { text, faults } = printSection(match, printMatch);
  return asJson(faults.length === 0 ? pretty(text) : text);
}

/** The builder, or why it cannot show this text. */
export function showMatchBuilder({ text }: MatchEditor): MatchEditor | ViewRefusal {
  try {
    return builder(sectionOfMatch(text));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { line, column, position } = error;
    return { why: `The text stops being JSON at line ${line}, column ${column}.`, position, pointer: null };
  }
}

/** The match as it is, and what is wrong with it. */
export interface CheckedMatch {
  /** JSON without its layout, with all numbers as they were written. */
  readonly text: string;
  readonly blanks: readonly FormFault[];
  readonly faults: readonly TextFault[];
  readonly isValid: boolean;
}

export function checkedMatch({ view, match, text: own }: MatchEditor): CheckedMatch {
  const printed: Printed = view === 'json' ? { text: own, faults: [] } : printSection(match, printMatch);
  const { faults, match: valid } = findingsInMatch(printed.text);
  return { text: compact(printed.text), blanks: printed.faults, faults, isValid: valid !== null };
}

/** JSON without the blanks between its parts. */
const compact = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));

/** A rule around a match: what is said about rules is said about it, with the pointers that the builder has. */
const AROUND = { name: 'search', stage: 'deliver', priority: 0, action: { type: 'drop' } };
const BEFORE = `${JSON.stringify(AROUND).slice(0, -1)},"match":`;

function findingsInMatch(text: string): Findings {
  const read = readJson(text);
  if ('faults' in read) return read;
  const rule = `${BEFORE}${text}}`;
  const found = findingsOf(readSource(rule), { ...AROUND, match: read.value }, null);
  const faults = found.faults.map(({ from, to, ...fault }) => {
    return { ...fault, from: Math.max(0, from - BEFORE.length), to: Math.max(0, to - BEFORE.length) };
  });
  return { ...found, faults };
}
