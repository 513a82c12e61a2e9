/** The operators: the values they take, the values they can hold for, and their names in a sentence. */
import type { Operator } from 'headgate/slim';
import { operatorText } from '../../../words/operators.js';
import {
  EMPTY_TEXT,
  firstOf,
  isBlank,
  isList,
  retyped,
  type ScalarField,
  type ScalarKind,
  type ValueField,
} from './value-field.js';

/** The kinds of values that events have. A timestamp is a string that reads as a time. */
export type FoundKind = 'string' | 'timestamp' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** The field that an operator needs: none, a text, a list, one that can be ordered, or any. */
export type Takes = 'nothing' | 'text' | 'list' | 'order' | 'any';

interface OperatorFacts {
  readonly takes: Takes;
  /** The phrase where the values are times. */
  readonly phraseOfTimes?: string;
  /** The kinds for which the leaf tells events apart; for all others it never holds, or always. */
  readonly fits: readonly FoundKind[];
}

const TEXTS = ['string', 'timestamp'] as const;
const SCALARS = ['string', 'timestamp', 'number', 'boolean', 'null'] as const;
const ALL = [...SCALARS, 'array', 'object'] as const;
const ORDERED = ['timestamp', 'number', 'string'] as const;

const FACTS: Readonly<Record<Operator, OperatorFacts>> = {
  eq: { takes: 'any', fits: ALL },
  neq: { takes: 'any', fits: ALL },
  contains: { takes: 'any', fits: [...TEXTS, 'array'] },
  not_contains: { takes: 'any', fits: [...TEXTS, 'array'] },
  starts_with: { takes: 'text', fits: TEXTS },
  ends_with: { takes: 'text', fits: TEXTS },
  in: { takes: 'list', fits: SCALARS },
  not_in: { takes: 'list', fits: SCALARS },
  matches: { takes: 'text', fits: TEXTS },
  not_matches: { takes: 'text', fits: TEXTS },
  gt: { takes: 'order', phraseOfTimes: 'is after', fits: ORDERED },
  gte: { takes: 'order', phraseOfTimes: 'is at or after', fits: ORDERED },
  lt: { takes: 'order', phraseOfTimes: 'is before', fits: ORDERED },
  lte: { takes: 'order', phraseOfTimes: 'is at or before', fits: ORDERED },
  exists: { takes: 'nothing', fits: ALL },
  missing: { takes: 'nothing', fits: ALL },
};

/** All operators, in the order in which they are offered. */
export const OPERATORS = Object.keys(FACTS) as readonly Operator[];

export const isOperator = (name: unknown): name is Operator =>
  typeof name === 'string' && Object.hasOwn(FACTS, name);

/** The field that an operator needs. */
export const takes = (op: Operator): Takes => FACTS[op].takes;

/** The phrase between path and value in a sentence, such as `is after` at a path of timestamps. */
export function phraseOf(op: Operator, kinds: readonly FoundKind[] = []): string {
  const phrase = operatorText(op);
  const { phraseOfTimes = phrase } = FACTS[op];
  return kinds.length > 0 && kinds.every((kind) => kind === 'timestamp') ? phraseOfTimes : phrase;
}

/**
 * Whether an operator tells events apart at a path where these kinds were found; every one does where nothing is known.
 */
export const fits = (op: Operator, kinds: readonly FoundKind[]): boolean =>
  kinds.length === 0 || kinds.some((kind) => FACTS[op].fits.includes(kind));

/** The operators for a path, those that fit first. */
export const operatorsFor = (
  kinds: readonly FoundKind[],
): { readonly fitting: readonly Operator[]; readonly others: readonly Operator[] } => ({
  fitting: OPERATORS.filter((op) => fits(op, kinds)),
  others: OPERATORS.filter((op) => !fits(op, kinds)),
});

const NAMES_OF_KINDS: Readonly<Record<FoundKind, string>> = {
  string: 'a text',
  timestamp: 'a time',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
};

/** The kinds of a path as words: `a number or null`. */
export const namesOfKinds = (kinds: readonly FoundKind[]): string =>
  kinds.map((kind) => NAMES_OF_KINDS[kind]).join(' or ');

/** Says that an operator does not fit what was found; null if it does. */
export const misfit = (op: Operator, kinds: readonly FoundKind[]): string | null =>
  fits(op, kinds)
    ? null
    : `Recent events have ${namesOfKinds(kinds)} here, for which “${phraseOf(op)}” never holds.`;

const KINDS_OF_FIELDS: Readonly<Record<FoundKind, ScalarKind>> = {
  string: 'text',
  timestamp: 'text',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  array: 'text',
  object: 'json',
};

/** The kind of field for a value that is compared with what was found; null is the last that is offered. */
export const fieldKindFor = (kinds: readonly FoundKind[]): ScalarKind =>
  KINDS_OF_FIELDS[kinds.find((kind) => kind !== 'null') ?? kinds[0] ?? 'string'];

/** The kinds of fields that an operator's value may have. */
export function fieldKinds(op: Operator): readonly ScalarKind[] {
  switch (takes(op)) {
    case 'text':
      return ['text', 'json'];
    case 'order':
      return ['number', 'text', 'json'];
    case 'nothing':
      return [];
    default:
      return ['text', 'number', 'boolean', 'null', 'json'];
  }
}

/**
 * The field for a value once another operator is chosen: it keeps what was written as far as that operator takes it.
 *
 * @param kinds - The kinds of values that recent events have at the path.
 */
export function fieldFor(op: Operator, field: ValueField, kinds: readonly FoundKind[]): ValueField {
  const scalar = isList(field) ? (firstOf(field) ?? EMPTY_TEXT) : field;
  const kind = fieldKindFor(kinds);
  switch (takes(op)) {
    case 'nothing':
      return field;
    case 'list':
      return isList(field) ? field : { kind: 'list', items: isBlank(field) ? [] : [field] };
    case 'text':
      return retyped(scalar, 'text');
    case 'order':
      return orderable(isBlank(scalar) ? retyped(scalar, kind) : scalar);
    case 'any':
      return isBlank(scalar) ? retyped(scalar, kind) : scalar;
  }
}

const orderable = (field: ScalarField): ScalarField =>
  field.kind === 'boolean' || field.kind === 'null' ? EMPTY_TEXT : field;

/** The field for a value once another path is chosen: what was written is read as the kind that was found there. */
export function fieldAt(op: Operator, field: ValueField, kinds: readonly FoundKind[]): ValueField {
  const kind = fieldKindFor(kinds);
  if (kinds.length === 0 || takes(op) === 'text' || takes(op) === 'nothing') return field;
  // A long list stays as it was written: reading each of its values as another kind would take too long.
  if (field.kind === 'pages') return field;
  if (field.kind === 'list') return { kind: 'list', items: field.items.map((item) => retyped(item, kind)) };
  return fieldKinds(op).includes(kind) ? retyped(field, kind) : field;
}
