/** The door of the operators: what each looks like in a document, and what it asks of a value. */
export { forms, idleForms, type Leaf, type Operator } from './families.js';
export {
  formOf,
  ignoresValue,
  insteadOfInverse,
  isOperator,
  negatedBy,
  operatorNames,
  takesPattern,
} from './forms.js';
export { definitionOf, demandOf, holdsIfAbsent, isNegated } from './leaf.js';
export type { ListLeaf } from './list.js';
export type { Bound, Demand, Form, LeafName, Test, ValueSchema } from './operator.js';
export type { OrderLeaf } from './order.js';
export type { PresenceLeaf } from './presence.js';
export type { TextLeaf } from './text.js';
export type { ValueLeaf } from './value.js';
