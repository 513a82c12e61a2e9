/** A match as the builder shows it: one group of leaves. A single leaf is a group of one. */
import type { Operator } from 'headgate/slim';
import { freeId, isRefusal, type Printed, type Refusal } from './form.js';
import { isOperator, takes } from './operators.js';
import { childrenOf, membersOf, repeatedNames, type Source, type SourceNode, valueOf } from './source.js';
import { EMPTY_TEXT, fieldOf, listAt, textOf, type ValueField } from './value-field.js';

/** The members of a leaf, in the order in which a new one has them. */
type LeafKey = 'path' | 'op' | 'value';
const LEAF_KEYS: readonly LeafKey[] = ['path', 'op', 'value'];

/** One leaf while it is written. */
export interface LeafForm {
  /** Tells the leaves of one form apart; it is not part of the match. */
  readonly id: number;
  readonly path: string;
  readonly op: Operator;
  /** Kept where the operator takes none, so that the next operator has it again. */
  readonly value: ValueField;
  /** The order of the members in the text that the leaf came from. */
  readonly keys: readonly LeafKey[];
}

/** How the leaves of a group are joined. */
export type Join = 'all' | 'any';

/** One group of leaves. */
export interface MatchForm {
  readonly join: Join;
  /** Whether the match is its only leaf, in no group. */
  readonly isBare: boolean;
  readonly leaves: readonly LeafForm[];
}

/**
 * Reads a match into a form.
 *
 * @param pointer - The pointer of the match in its rule.
 * @returns The form, or the reason why only the JSON editor shows this match.
 */
export function readMatch(source: Source, node: SourceNode, pointer = '/match'): MatchForm | Refusal {
  const join = joinOf(source, node);
  if (join === null) {
    const leaf = readLeaf(source, node, pointer, 0);
    return isRefusal(leaf) ? leaf : { join: 'all', isBare: true, leaves: [leaf] };
  }
  const list = membersOf(source, node).get(join)!;
  const leaves: LeafForm[] = [];
  for (const [i, child] of childrenOf(source, list).entries()) {
    const leaf = readLeaf(source, child, `${pointer}/${join}/${i}`, i);
    if (isRefusal(leaf)) return leaf;
    leaves.push(leaf);
  }
  return { join, isBare: false, leaves };
}

/** How the children of a group are joined; null if this is not a group with a list. */
function joinOf(source: Source, node: SourceNode): Join | null {
  if (node.type !== 'object' || node.children.length !== 1) return null;
  const list = source.nodes[node.children[0]!]!;
  return list.type === 'array' && (list.key === 'all' || list.key === 'any') ? list.key : null;
}

const TOO_DEEP =
  'is a group inside a group. The builder shows one group of leaves; the JSON editor shows trees of any depth.';

function readLeaf(source: Source, node: SourceNode, pointer: string, id: number): LeafForm | Refusal {
  const refuse = (why: string): Refusal => ({ pointer, why: `${pointer} ${why}` });
  if (node.type !== 'object') return refuse('is not an object, so it is neither a leaf nor a group.');
  const members = membersOf(source, node);
  if (members.has('all') || members.has('any')) {
    return refuse(pointer === '/match' ? 'is a group with more than its list, or without one.' : TOO_DEEP);
  }
  const [repeated] = repeatedNames(source, node);
  if (repeated !== undefined) return refuse(`has the member ${JSON.stringify(repeated)} twice.`);
  const keys = [...members.keys()];
  const unknown = keys.find((key) => !(LEAF_KEYS as readonly string[]).includes(key));
  if (unknown !== undefined) return refuse(`has the member ${JSON.stringify(unknown)}, which no leaf has.`);
  const { path, op } = Object.fromEntries(
    [...members].map(([key, member]) => [key, member.type === 'string' ? valueOf(source, member) : null]),
  );
  if (typeof path !== 'string') return refuse('has no path.');
  if (!isOperator(op)) return refuse('has no operator that the builder knows.');
  return { id, path, op, value: readValue(source, op, members.get('value')), keys: keys as LeafKey[] };
}

function readValue(source: Source, op: Operator, node: SourceNode | undefined): ValueField {
  if (node === undefined) return takes(op) === 'list' ? { kind: 'list', items: [] } : EMPTY_TEXT;
  if (takes(op) === 'list' && node.type === 'array') return listAt(source, node);
  return fieldOf(source, node);
}

/**
 * The JSON text of a form. Printing what was read gives an equal tree, with members in their order and numbers as
 * written.
 */
export function printMatch({ join, isBare, leaves }: MatchForm): Printed {
  const isAlone = isBare && leaves.length === 1;
  const printed = leaves.map((leaf, i) => printLeaf(leaf, isAlone ? '/match' : `/match/${join}/${i}`));
  const texts = printed.map(({ text }) => text).join(', ');
  return {
    text: isAlone ? texts : `{ "${join}": [${texts}] }`,
    faults: printed.flatMap(({ faults }) => faults),
  };
}

function printLeaf({ path, op, value, keys }: LeafForm, pointer: string): Printed {
  const { text, fault } = textOf(value);
  const hasValue = keys.includes('value');
  const texts: Readonly<Record<LeafKey, string>> = {
    path: JSON.stringify(path),
    op: JSON.stringify(op),
    value: text,
  };
  const members = keys.map((key) => `"${key}": ${texts[key]}`);
  return {
    text: `{ ${members.join(', ')} }`,
    faults: fault === null || !hasValue ? [] : [{ pointer: `${pointer}/value`, message: fault }],
  };
}

/** A leaf with another operator: its value stays if that operator takes one. */
export function withOperator(leaf: LeafForm, op: Operator, value: ValueField): LeafForm {
  const others = leaf.keys.filter((key) => key !== 'value');
  const hasValue = leaf.keys.includes('value');
  const keys = takes(op) === 'nothing' ? others : hasValue ? leaf.keys : [...others, 'value' as const];
  return { ...leaf, op, value, keys };
}

/** A leaf that compares a path with a value. */
export const newLeaf = (
  id: number,
  path = '',
  op: Operator = 'eq',
  value: ValueField = EMPTY_TEXT,
): LeafForm => withOperator({ id, path, op, value, keys: ['path', 'op'] }, op, value);

/** The form with one leaf more. */
export const addLeaf = (form: MatchForm, leaf: Omit<LeafForm, 'id'> = newLeaf(0)): MatchForm => ({
  ...form,
  leaves: [...form.leaves, { ...leaf, id: freeId(form.leaves) }],
});

/** The form with a leaf changed. */
export const changeLeaf = (form: MatchForm, id: number, change: (leaf: LeafForm) => LeafForm): MatchForm => ({
  ...form,
  leaves: form.leaves.map((leaf) => (leaf.id === id ? change(leaf) : leaf)),
});

/** The form without a leaf. */
export const removeLeaf = (form: MatchForm, id: number): MatchForm => ({
  ...form,
  leaves: form.leaves.filter((leaf) => leaf.id !== id),
});

/** The form of a new rule. */
export const NEW_MATCH: MatchForm = { join: 'all', isBare: false, leaves: [newLeaf(0)] };
