/** Operators in the filters of Hookdeck and Outpost that test one value. */
import type { Json } from '../../json.js';
import type { Match } from '../rule.js';
import {
  all,
  any,
  isArray,
  isNotText,
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
import { type Answer, group, isRefusal, refuse, type Refusal } from './part.js';

/** The two differ in what they take for equal. */
export type Dialect = 'hookdeck' | 'outpost';

const ORDERS: Readonly<Record<string, OrderOperator>> = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' };

/** All of them. */
export const OPERATORS: readonly string[] = [
  '$eq',
  '$neq',
  '$in',
  '$nin',
  '$startsWith',
  '$endsWith',
  '$exist',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
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

type ReadOperator = (place: Place, value: unknown, dialect: Dialect) => Answer;

/** The operators by name, without those of order. */
const READ: Readonly<Record<string, ReadOperator>> = {
  $eq: (place, value, dialect) =>
    isScalar(value) ? isEqualTo(place, value, dialect) : isStructureLike(place, value as Json, dialect),
  $neq: (place, value, dialect) => {
    if (place.starred) return refuse('that some element is not equal to a value cannot be asked here');
    if (!isScalar(value)) return refuse('that an array or an object is another one is not converted');
    return isEqualTo({ ...place, negated: !place.negated }, value, dialect, true);
  },
  $in: (place, value, dialect) =>
    Array.isArray(value) ? isInList(place, value, dialect) : hasText(place, value, dialect),
  $nin: (place, value, dialect) =>
    Array.isArray(value) ? isNotInList(place, value, dialect) : lacksText(place, value, dialect),
  $startsWith: (place, value) => hasAffix(place, 'starts_with', value),
  $endsWith: (place, value) => hasAffix(place, 'ends_with', value),
};

/** Reads an operator and what it compares with. */
export function readOperator(place: Place, operator: string, value: unknown, dialect: Dialect): Answer {
  const read = READ[operator];
  if (read !== undefined) return read(place, value, dialect);
  return isOrdered(place, ORDERS[operator] as OrderOperator, value, {
    converts: dialect === 'hookdeck' && (typeof value === 'number' || !Number.isNaN(Number(value))),
    // Go orders texts by code point, but reads half a surrogate pair as U+FFFD.
    byUnit: true,
  });
}

function hasAffix(place: Place, op: 'starts_with' | 'ends_with', value: unknown): Answer {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!texts.every((text) => typeof text === 'string')) {
    return refuse('only texts are looked for at an end of a text');
  }
  const answers = texts.map((text) => isTextWith(place, op, text));
  return answers.find(isRefusal) ?? group(place.negated ? 'all' : 'any', answers as Match[]);
}

/** An array and an object are compared as JSON text. */
function isEqualTo(place: Place, value: Scalar, dialect: Dialect, orAbsent = false): Answer {
  if (dialect === 'hookdeck' && typeof value === 'string' && /^[[{]/.test(value)) {
    return refuse('Hookdeck also takes an array or an object with this JSON text for this');
  }
  return isEqual(place, value, dialect, orAbsent);
}

function isStructureLike(place: Place, value: Json, dialect: Dialect): Answer {
  if (dialect === 'hookdeck') {
    return refuse('Hookdeck compares arrays and objects as JSON text, in the order of their keys');
  }
  return isStructure(place, value);
}

/** Says why a list cannot be looked into; `null` if it can. */
function whyNotList(list: readonly unknown[], dialect: Dialect): Refusal | null {
  if (!list.every(isScalar)) return refuse('a list is converted that has texts, numbers and the like');
  return dialect === 'hookdeck' && list.some((value) => value === null || typeof value === 'boolean')
    ? refuse('Hookdeck fails on a list that has more than texts and numbers')
    : null;
}

/** Whether the member is one of some values. Arrays and objects meet neither this nor its opposite. */
const isInList = (place: Place, list: readonly unknown[], dialect: Dialect): Answer =>
  whyNotList(list, dialect) ?? isOneOf(place, list as Scalar[]);

function isNotInList(place: Place, list: readonly unknown[], dialect: Dialect): Answer {
  const refused = whyNotList(list, dialect);
  if (refused !== null) return refused;
  if (place.starred) return refuse('that some element is not in a list cannot be asked here');
  if (place.negated && !place.kinds) {
    return refuse(
      `an object cannot be told from a number here; if ${place.path} is of one kind in all events, import with assume: ['kinds']`,
    );
  }
  const others = isOneOf({ ...place, negated: !place.negated }, list as Scalar[], true);
  if (typeof others !== 'object' || isRefusal(others) || place.kinds) return others;
  return all(isScalarValue(place.path), others);
}

/** The text that a member has in it; in Outpost, an array may have it as an element. */
function textOf(place: Place, value: unknown, dialect: Dialect): string | Refusal {
  if (typeof value === 'number' && dialect === 'hookdeck') return String(value);
  if (typeof value !== 'string') return refuse('only texts are looked for in a member, and members in lists');
  if (dialect === 'hookdeck') return value;
  if (place.starred) return refuse('texts in arrays in arrays are not looked for here');
  const elements = isOneOf({ ...elementsOf(place), negated: false }, [value]);
  return isRefusal(elements) ? elements : value;
}

function hasText(place: Place, value: unknown, dialect: Dialect): Answer {
  const text = textOf(place, value, dialect);
  if (isRefusal(text)) return text;
  if (dialect === 'hookdeck') return isTextWith(place, 'contains', text);
  const { path, negated } = place;
  return negated
    ? any(leaf(path, 'missing'), leaf(path, 'not_contains', text))
    : leaf(path, 'contains', text);
}

function lacksText(place: Place, value: unknown, dialect: Dialect): Answer {
  const { path, negated, starred, kinds } = place;
  const text = textOf(place, value, dialect);
  if (isRefusal(text)) return text;
  if (starred) return refuse('that some element does not have a text cannot be asked here');
  const isAsked = [leaf(path, 'starts_with', ''), ...(dialect === 'outpost' ? isArray(path) : [])];
  if (!negated) return all(any(...isAsked), leaf(path, 'not_contains', text));
  if (kinds) return any(leaf(path, 'missing'), leaf(path, 'eq', null), leaf(path, 'contains', text));
  return dialect === 'outpost'
    ? refuse('what is neither a text nor an array cannot be told here')
    : any(leaf(path, 'missing'), ...isNotText(path), leaf(path, 'contains', text));
}
