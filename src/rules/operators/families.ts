/** The families of operators. A new family is a file like the others and an entry in each of these lists. */
import { listForm, listOperators, type ListLeaf } from './list.js';
import type { Definition, Form } from './operator.js';
import { orderForm, orderOperators, type OrderLeaf } from './order.js';
import { presenceForm, presenceOperators, type PresenceLeaf } from './presence.js';
import { textForm, textOperators, type TextLeaf } from './text.js';
import { valueForm, valueOperators, type ValueLeaf } from './value.js';

/** One question about one path of the event. */
export type Leaf = ValueLeaf | TextLeaf | ListLeaf | OrderLeaf | PresenceLeaf;

/** The sixteen operators. */
export type Operator = Leaf['op'];

/**
 * The operators as documents write them. They are separate from the definitions, so that a bundle that only validates
 * rules contains no definitions.
 */
export const forms: readonly Form[] = [valueForm, textForm, listForm, orderForm, presenceForm];

/** The forms whose value means nothing: it is optional, and exports leave it out. */
export const idleForms: readonly Form[] = [presenceForm];

/** The definitions of the operators that negate no other. */
export const definitions: readonly Readonly<Record<string, Definition<never>>>[] = [
  valueOperators,
  textOperators,
  listOperators,
  orderOperators,
  presenceOperators,
];
