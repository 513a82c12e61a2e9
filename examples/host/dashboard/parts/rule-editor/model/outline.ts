/**
 * The findings about a form with long lists, of which each list is read once, and not with every change of the form.
 */
import { type Findings, findingsOf, NO_FINDINGS, oddTexts, type TextFault } from './faults.js';
import type { FormFault } from './form.js';
import type { LeafForm } from './leaf-form.js';
import { leavesIn } from './match-edits.js';
import { bareLeaf, type GroupForm, type MatchForm, type NodeForm } from './match-form.js';
import { compactRule, type RuleForm, type Section } from './rule-form.js';
import { readSource } from './source.js';
import { remember, type ValuePage, valuesOf } from './value-pages.js';

const isLong = ({ value, keys }: LeafForm): boolean => value.kind === 'pages' && keys.includes('value');

/** Whether the builder shows a long list. */
export const hasLongList = ({ match }: RuleForm): boolean =>
  match.kind === 'form' && leavesIn(match.form).some(isLong);

/** The same form with empty lists instead of long ones. */
function outlined(match: Section<MatchForm>): Section<MatchForm> {
  if (match.kind === 'source') return match;
  return { kind: 'form', form: shortened(match.form) };
}

function shortened<Group extends GroupForm>(group: Group): Group {
  const children = group.children.map((child): NodeForm => {
    if (child.kind === 'group') return shortened(child);
    return isLong(child) ? { ...child, value: { kind: 'list', items: [] } } : child;
  });
  return { ...group, children };
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
  const leaves = match.kind === 'form' ? leavesIn(match.form).filter(isLong) : [];
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
  const leaf = bareLeaf(form.match.form);
  const pairs =
    leaf === null ? pairsIn(form.match.form, match) : isLong(leaf) ? [[leaf, match] as const] : [];
  for (const [{ value }, into] of pairs) {
    if (value.kind === 'pages') yield [value.pages, into];
  }
}

/** A printed node: a leaf, or a group. */
type Node = Readonly<Record<string, unknown>> & { value?: unknown };

/** The leaves of a group that have long lists, each with what it was read from or is printed to. */
function pairsIn(group: GroupForm, node: Node): (readonly [LeafForm, Node])[] {
  const printed = (node[group.join] ?? []) as readonly Node[];
  return group.children.flatMap((child, index) => {
    const into = printed[index];
    if (into === undefined) return [];
    if (child.kind === 'group') return pairsIn(child, into);
    return isLong(child) ? [[child, into] as const] : [];
  });
}

/** Takes the values of long lists from the rule that a form was read from. */
export function rememberValues(form: RuleForm, rule: object): void {
  for (const [pages, { value }] of longLists(form, rule)) {
    if (Array.isArray(value)) remember(pages, value);
  }
}
