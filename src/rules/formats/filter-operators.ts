/** Operators in the filters of Hookdeck and Outpost that test one value. */
import type { Json } from '../../json.js';
import type { Match } from '../rule.js';
import {
  all,
  any,
  isOneOf,
  isScalar,
  isScalarValue,
  isStructure,
  isTextWith,
  leaf,
  type Place,
  type Scalar,
} from './leaves.js';
import { isOrdered, type OrderOperator } from './order.js';
import { type Answer, group, isRefusal, refuse } from './part.js';

/** The two differ in what they take for equal. */
export type Dialect = 'hookdeck' | 'outpost';

const ORDERS: Readonly<Record<string, OrderOperator>> = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' };

/** All of them. */
export const OPERATORS = [
  '$eq',
  '$neq',
  '$in',
  '$nin',
  '$startsWith',
  '$endsWith',
  '$exist',
  ...Object.keys(ORDERS),
];

/** The elements of an array. */
export const elementsOf = (place: Place): Place => ({ ...place, path: `${place.path}.*`, starred: true });

/** Equality of values that are not arrays or objects. JavaScript's `==` converts them to numbers. */
export function isEqual(place: Place, value: Scalar, dialect: Dialect, orAbsent = false): Answer {
  if (dialect === 'outpost' || value === null || place.kinds) return isOneOf(place, [value], orAbsent);
  if (typeof value !== 'string') {
    return refuse(
      `Hookdeck also takes texts such as " ${String(value)}" for this; if ${place.path} is of one kind in all events, import with assume: ['kinds']`,
    );
  }
  const number = Number(value);
  const booleans = number === 1 ? [true] : number === 0 ? [false] : [];
  return isOneOf(place, Number.isNaN(number) ? [value] : [value, number, ...booleans], orAbsent);
}

/** Reads an operator and what it compares with. */
export function readOperator(place: Place, operator: string, value: unknown, dialect: Dialect): Answer {
  const { negated } = place;
  switch (operator) {
    case '$eq':
      return isScalar(value)
        ? isEqualTo(place, value, dialect)
        : isStructureLike(place, value as Json, dialect);
    case '$neq':
      if (place.starred) return refuse('that some element is not equal to a value cannot be asked here');
      if (!isScalar(value)) return refuse('that an array or an object is another one is not converted');
      return isEqualTo({ ...place, negated: !negated }, value, dialect, true);
    case '$in':
    case '$nin':
      return Array.isArray(value)
        ? readIn(place, operator, value, dialect)
        : readContains(place, operator, value, dialect);
    case '$startsWith':
    case '$endsWith': {
      const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (!texts.every((text) => typeof text === 'string')) return refuse(`${operator} needs texts`);
      const op = operator === '$startsWith' ? 'starts_with' : 'ends_with';
      const answers = texts.map((text) => isTextWith(place, op, text));
      return answers.find(isRefusal) ?? group(negated ? 'all' : 'any', answers as Match[]);
    }
    default:
      return isOrdered(place, ORDERS[operator] as OrderOperator, value, {
        converts: dialect === 'hookdeck' && (typeof value === 'number' || !Number.isNaN(Number(value))),
        byUnit: dialect === 'hookdeck',
      });
  }
}

/** An array and an object are compared as JSON text. */
function isEqualTo(place: Place, value: Scalar, dialect: Dialect, orAbsent = false): Answer {
  if (dialect === 'hookdeck' && typeof value === 'string' && /^[[{]/.test(value)) {
    return refuse('Hookdeck also takes an array or an object with this JSON text for this');
  }
  return isEqual(place, value, dialect, orAbsent);
}

function isStructureLike(place: Place, value: Json, dialect: Dialect): Answer {
  if (dialect === 'hookdeck')
    {return refuse('Hookdeck compares arrays and objects as JSON text, in the order of their keys');}
  return isStructure(place, value);
}

/** A list of values: the member is one of them. Arrays and objects meet neither operator. */
function readIn(place: Place, operator: string, list: readonly unknown[], dialect: Dialect): Answer {
  if (!list.every(isScalar)) return refuse('a list is converted that has texts, numbers and the like');
  if (dialect === 'hookdeck' && list.some((value) => value === null || typeof value === 'boolean')) {
    return refuse('Hookdeck fails on a list that has more than texts and numbers');
  }
  if (operator === '$in') return isOneOf(place, list);
  if (place.starred) return refuse('that some element is not in a list cannot be asked here');
  if (place.negated && !place.kinds) {
    return refuse(
      `an object cannot be told from a number here; if ${place.path} is of one kind in all events, import with assume: ['kinds']`,
    );
  }
  const others = isOneOf({ ...place, negated: !place.negated }, list, true);
  if (typeof others !== 'object' || isRefusal(others) || place.kinds) return others;
  return all(isScalarValue(place.path), others);
}

/** A text, which the member has in it; in Outpost, an array may have it as an element. */
function readContains(place: Place, operator: string, value: unknown, dialect: Dialect): Answer {
  const { path, negated, starred, kinds } = place;
  const isText = typeof value === 'string';
  if (!isText && !(typeof value === 'number' && dialect === 'hookdeck'))
    {return refuse(`${operator} is converted with texts and lists`);}
  const text = String(value);
  if (operator === '$in' && dialect === 'hookdeck') return isTextWith(place, 'contains', text);
  if (starred) return refuse('texts in arrays in arrays are not looked for here');
  if (dialect === 'outpost') {
    const elements = isOneOf({ ...elementsOf(place), negated: false }, [text]);
    if (isRefusal(elements)) return elements;
    if (operator === '$in')
      {return negated
        ? any(leaf(path, 'missing'), leaf(path, 'not_contains', text))
        : leaf(path, 'contains', text);}
  }
  const isAsked = [
    leaf(path, 'starts_with', ''),
    ...(dialect === 'outpost' ? [leaf(path, 'eq', []), leaf(`${path}.*`, 'exists')] : []),
  ];
  if (negated) {
    if (dialect === 'outpost' && !kinds)
      {return refuse('what is neither a text nor an array cannot be told here');}
    return any(
      leaf(path, 'missing'),
      ...(kinds ? [leaf(path, 'eq', null)] : [leaf(path, 'not_contains', ''), leaf(`${path}.*`, 'exists')]),
      leaf(path, 'contains', text),
    );
  }
  return all(any(...isAsked), leaf(path, 'not_contains', text));
}
