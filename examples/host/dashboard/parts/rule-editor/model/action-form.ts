/** An action as the form shows it. The inputs of all four types are kept, so that trying another type loses nothing. */
import type { Action, TransformOp } from 'headgate/slim';
import { freeId, isRefusal, type Printed, type Refusal, withKey } from './form.js';
import { childrenOf, membersOf, repeatedNames, type Source, type SourceNode, valueOf } from './source.js';
import { EMPTY_TEXT, fieldOf, type ScalarField, textOf } from './value-field.js';

export type ActionType = Action['type'];
export type OpName = TransformOp['op'];

/** The members of each op of a transform, in the order in which a new one has them. */
const OP_KEYS = {
  set: ['op', 'path', 'value'],
  redact: ['op', 'path', 'regex', 'replace', 'deep'],
  uppercase: ['op', 'path'],
  lowercase: ['op', 'path'],
  trim: ['op', 'path'],
} as const satisfies Record<OpName, readonly string[]>;
export const OP_NAMES = Object.keys(OP_KEYS) as readonly OpName[];
/** A member that may be left out. */
const OPTIONAL = 'deep';

/** One op of a transform while it is written. */
export interface OpForm {
  /** Tells the ops of one form apart; it is not part of the action. */
  readonly id: number;
  readonly op: OpName;
  readonly path: string;
  /** The value of `set`. */
  readonly value: ScalarField;
  /** The pattern of `redact`. */
  readonly regex: string;
  readonly replace: string;
  readonly deep: boolean;
  /** The order of the members in the text that the op came from. */
  readonly keys: readonly string[];
}

/** An action while it is written. */
export interface ActionForm {
  readonly type: ActionType;
  readonly ops: readonly OpForm[];
  readonly endpointIds: readonly string[];
  readonly tags: readonly string[];
  /** Whether the list of the type came before the type in the text that the action came from. */
  readonly isTypeLast: boolean;
}

/** The list that each type has. */
const LISTS = {
  drop: null,
  transform: 'ops',
  route_only: 'endpoint_ids',
  tag: 'tags',
} as const satisfies Record<ActionType, string | null>;
export const ACTION_TYPES = Object.keys(LISTS) as readonly ActionType[];

/** The form of a new rule. */
export const NEW_ACTION: ActionForm = { type: 'tag', ops: [], endpointIds: [], tags: [], isTypeLast: false };

/**
 * Reads an action into a form.
 *
 * @returns The form, or the reason why only the JSON editor shows this action.
 */
export function readAction(source: Source, node: SourceNode): ActionForm | Refusal {
  const refuse = (pointer: string, why: string): Refusal => ({ pointer, why: `${pointer} ${why}` });
  const oddity = oddityOf(source, node);
  if (oddity !== null) return refuse('/action', oddity);
  const members = membersOf(source, node);
  const type = members.get('type');
  const name = type?.type === 'string' ? (valueOf(source, type) as ActionType) : null;
  if (name === null || !Object.hasOwn(LISTS, name)) {
    return refuse('/action/type', 'names none of the four actions.');
  }
  const list = LISTS[name];
  const stranger = [...members.keys()].find((key) => key !== 'type' && key !== list);
  if (stranger !== undefined) {
    return refuse('/action', `has the member ${JSON.stringify(stranger)}, which ${name} has not.`);
  }
  const form = { ...NEW_ACTION, type: name, isTypeLast: [...members.keys()].indexOf('type') > 0 };
  if (list === null) return form;
  const items = members.get(list);
  if (items?.type !== 'array') return refuse(`/action/${list}`, 'is not a list.');
  return list === 'ops' ? readOps(source, items, form) : readTexts(source, items, form, list);
}

function readTexts(
  source: Source,
  items: SourceNode,
  form: ActionForm,
  list: 'endpoint_ids' | 'tags',
): ActionForm | Refusal {
  const nodes = childrenOf(source, items);
  const odd = nodes.findIndex(({ type }) => type !== 'string');
  if (odd !== -1) {
    return { pointer: `/action/${list}/${odd}`, why: `/action/${list}/${odd} is not a string.` };
  }
  const texts = nodes.map((node) => valueOf(source, node) as string);
  return { ...form, [list === 'tags' ? 'tags' : 'endpointIds']: texts };
}

function readOps(source: Source, items: SourceNode, form: ActionForm): ActionForm | Refusal {
  const ops: OpForm[] = [];
  for (const [i, child] of childrenOf(source, items).entries()) {
    const op = readOp(source, child, i);
    if (isRefusal(op)) return op;
    ops.push(op);
  }
  return { ...form, ops };
}

function readOp(source: Source, node: SourceNode, id: number): OpForm | Refusal {
  const pointer = `/action/ops/${id}`;
  const oddity = oddityOf(source, node);
  if (oddity !== null) return { pointer, why: `${pointer} ${oddity}` };
  const members = membersOf(source, node);
  const given: Record<string, unknown> = {};
  for (const [key, member] of members) given[key] = key === 'value' ? null : plain(source, member);
  const { op, path, regex = '', replace = '', deep = false } = given;
  if (typeof op !== 'string' || !Object.hasOwn(OP_KEYS, op)) {
    return { pointer: `${pointer}/op`, why: `${pointer}/op names none of the ops.` };
  }
  const known: readonly string[] = OP_KEYS[op as OpName];
  const stranger = [...members.keys()].find((key) => !known.includes(key));
  if (stranger !== undefined) {
    return { pointer, why: `${pointer} has the member ${JSON.stringify(stranger)}, which ${op} has not.` };
  }
  if (![path ?? '', regex, replace].every((text) => typeof text === 'string') || typeof deep !== 'boolean') {
    return { pointer, why: `${pointer} has a member of the wrong type.` };
  }
  const value = members.get('value');
  return {
    ...newOp(op as OpName, id),
    ...({ path: path ?? '', regex, replace, deep } as Pick<OpForm, 'path' | 'regex' | 'replace' | 'deep'>),
    ...(value !== undefined && { value: fieldOf(source, value) }),
    keys: [...members.keys()],
  };
}

/** The value of a member that is a text or a boolean; null for any other, which no member but `value` is. */
const plain = (source: Source, node: SourceNode): unknown =>
  node.type === 'string' || node.type === 'boolean' ? valueOf(source, node) : null;

/** Says why a form cannot show an object. */
function oddityOf(source: Source, node: SourceNode): string | null {
  if (node.type !== 'object') return 'is not an object.';
  const [repeated] = repeatedNames(source, node);
  return repeated === undefined ? null : `has the member ${JSON.stringify(repeated)} twice.`;
}

/** An op with empty inputs. */
export const newOp = (op: OpName, id = 0, path = ''): OpForm => ({
  ...{ id, op, path, value: EMPTY_TEXT, regex: '', replace: '', deep: false },
  keys: requiredKeys(op),
});

const requiredKeys = (op: OpName): readonly string[] => OP_KEYS[op].filter((key) => key !== OPTIONAL);

/** The JSON text of a form. */
export function printAction(form: ActionForm): Printed {
  const { type, isTypeLast } = form;
  const list = LISTS[type];
  const head = `"type": ${JSON.stringify(type)}`;
  if (list === null) return { text: `{ ${head} }`, faults: [] };
  const items =
    list === 'ops'
      ? form.ops.map(printOp)
      : textsOf(form, list).map((text) => ({ text: JSON.stringify(text), faults: [] }));
  const tail = `"${list}": [${items.map(({ text }) => text).join(', ')}]`;
  return {
    text: `{ ${(isTypeLast ? [tail, head] : [head, tail]).join(', ')} }`,
    faults: items.flatMap(({ faults }) => faults),
  };
}

const textsOf = (form: ActionForm, list: 'endpoint_ids' | 'tags'): readonly string[] =>
  list === 'tags' ? form.tags : form.endpointIds;

function printOp(form: OpForm, index: number): Printed {
  const { text, fault } = textOf(form.value);
  const members = form.keys.map(
    (key) =>
      `"${key}": ${key === 'value' ? text : JSON.stringify(form[key as 'op' | 'path' | 'regex' | 'deep'])}`,
  );
  const hasFault = fault !== null && form.keys.includes('value');
  return {
    text: `{ ${members.join(', ')} }`,
    faults: hasFault ? [{ pointer: `/action/ops/${index}/value`, message: fault }] : [],
  };
}

/** The form with one op more. */
export const addOp = (form: ActionForm, op: OpForm): ActionForm => ({
  ...form,
  ops: [...form.ops, { ...op, id: freeId(form.ops) }],
});

/** The form with an op changed. Its members follow from what it is now. */
export const changeOp = (form: ActionForm, id: number, change: Partial<OpForm>): ActionForm => ({
  ...form,
  ops: form.ops.map((op) => (op.id === id ? withMembers({ ...op, ...change }, change) : op)),
});

/** The op with exactly the members that it needs; those that it had stay in their order. */
function withMembers(form: OpForm, change: Partial<OpForm>): OpForm {
  const known: readonly string[] = OP_KEYS[form.op];
  const needed = form.deep && form.op === 'redact' ? known : requiredKeys(form.op);
  const isTurnedOff = change.deep === false;
  const kept = form.keys.filter((key) => known.includes(key) && !(isTurnedOff && key === OPTIONAL));
  return {
    ...form,
    keys: needed.reduce<readonly string[]>((keys, key) => withKey(keys, key, known), kept),
  };
}

/** The form without an op. */
export const removeOp = (form: ActionForm, id: number): ActionForm => ({
  ...form,
  ops: form.ops.filter((op) => op.id !== id),
});

/** The tags with those of a typed text, which commas separate; none comes twice. */
export const addTags = (tags: readonly string[], typed: string): readonly string[] =>
  [...new Set([...tags, ...typed.split(',').map((tag) => tag.trim())])].filter((tag) => tag !== '');
