/**
 * The findings about a form with long lists, of which each list is read once, and not with every change of the form.
 */
import { type Findings, findingsOf, NO_FINDINGS, oddTexts, type TextFault } from './faults.js';
import type { FormFault } from './form.js';
import type { LeafForm, MatchForm } from './match-form.js';
import { compactRule, type RuleForm, type Section } from './rule-form.js';
import { readSource } from './source.js';
import { remember, type ValuePage, valuesOf } from './value-pages.js';

const isLong = ({ value, keys }: LeafForm): boolean => value.kind === 'pages' && keys.includes('value');

/** Whether the builder shows a long list. */
export const hasLongList = ({ match }: RuleForm): boolean =>
  match.kind === 'form' && match.form.leaves.some(isLong);

/** The same form with empty lists instead of long ones. */
function outlined(match: Section<MatchForm>): Section<MatchForm> {
  if (match.kind === 'source') return match;
  const leaves = match.form.leaves.map((leaf): LeafForm =>
    isLong(leaf) ? { ...leaf, value: { kind: 'list', items: [] } } : leaf,
  );
  return { kind: 'form', form: { ...match.form, leaves } };
}

/** The findings about a form that has long lists, and what is not filled in. Lint is left to the service. */
export function findingsOfLong(form: RuleForm): Findings & { readonly blanks: readonly FormFault[] } {
  const { text, faults: blanks } = compactRule({ ...form, match: outlined(form.match) });
  if (blanks.length > 0) return { ...NO_FINDINGS, blanks };
  const rule = JSON.parse(text) as object;
  for (const [pages, leaf] of longLists(form, rule)) leaf.value = valuesOf(pages);
  const findings = findingsOf(readSource(text), rule, null);
  return { ...findings, faults: [...findings.faults, ...oddValues(form.match)], blanks };
}

function oddValues(match: Section<MatchForm>): TextFault[] {
  const leaves = match.kind === 'form' ? match.form.leaves.filter(isLong) : [];
  return leaves
    .flatMap(({ value }) => (value.kind === 'pages' ? oddTexts(value.pages) : []))
    .map((message) => ({ from: 0, to: 0, severity: 'warning', message, pointer: null }));
}

/** The long lists of a form, each with its leaf in the rule that the form was read from or is printed to. */
function* longLists(
  form: RuleForm,
  rule: object,
): Generator<readonly [readonly ValuePage[], { value?: unknown }]> {
  const { match } = rule as { readonly match?: Readonly<Record<string, unknown>> };
  if (form.match.kind !== 'form' || match === undefined) return;
  const { join, isBare, leaves } = form.match.form;
  const printed = isBare && leaves.length === 1 ? [match] : (match[join] as readonly { value?: unknown }[]);
  for (const [index, leaf] of leaves.entries()) {
    const into = printed[index];
    if (into !== undefined && isLong(leaf) && leaf.value.kind === 'pages') yield [leaf.value.pages, into];
  }
}

/** Takes the values of long lists from the rule that a form was read from. */
export function rememberValues(form: RuleForm, rule: object): void {
  for (const [pages, { value }] of longLists(form, rule)) {
    if (Array.isArray(value)) remember(pages, value);
  }
}
