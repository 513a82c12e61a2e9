/** A leaf of a match as the builder shows it. */
import type { Operator } from 'headgate/slim';
import { type Printed, type Refusal } from './form.js';
import { isOperator, takes } from './operators.js';
import { membersOf, repeatedNames, type Source, type SourceNode, valueOf } from './source.js';
import { EMPTY_TEXT, fieldOf, listAt, textOf, type ValueField } from './value-field.js';

/** The members of a leaf, in the order in which a new one has them. */
type LeafKey = 'path' | 'op' | 'value';
const LEAF_KEYS: readonly LeafKey[] = ['path', 'op', 'value'];

/** One leaf while it is written. */
export interface LeafForm {
  readonly kind: 'leaf';
  /** Tells the nodes of one form apart; it is not part of the match. */
  readonly id: number;
  readonly path: string;
  readonly op: Operator;
  /** Kept where the operator takes none, so that the next operator has it again. */
  readonly value: ValueField;
  /** The order of the members in the text that the leaf came from. */
  readonly keys: readonly LeafKey[];
}

/** Reads an object that is not a group. */
export function readLeaf(source: Source, node: SourceNode, pointer: string, id: number): LeafForm | Refusal {
  const refuse = (why: string): Refusal => ({ pointer, why: `${pointer} ${why}` });
  if (node.type !== 'object') return refuse('is not an object, so it is neither a leaf nor a group.');
  const members = membersOf(source, node);
  if (members.has('all') || members.has('any')) {
    return refuse('is a group with more than its list, or without one.');
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
  return {
    kind: 'leaf',
    id,
    path,
    op,
    value: readValue(source, op, members.get('value')),
    keys: keys as LeafKey[],
  };
}

function readValue(source: Source, op: Operator, node: SourceNode | undefined): ValueField {
  if (node === undefined) return takes(op) === 'list' ? { kind: 'list', items: [] } : EMPTY_TEXT;
  if (takes(op) === 'list' && node.type === 'array') return listAt(source, node);
  return fieldOf(source, node);
}

export function printLeaf({ path, op, value, keys }: LeafForm, pointer: string): Printed {
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
): LeafForm => withOperator({ kind: 'leaf', id, path, op, value, keys: ['path', 'op'] }, op, value);
