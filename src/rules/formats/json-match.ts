/**
 * Filters of Hookdeck, as simple-json-match 1.3 answers them, and those of Outpost, which has a stricter version in Go.
 */
import { isObject } from '../../json.js';
import { hasOdd, isObjectAt, ODD, ODD_TEXT, places, readOperators } from './filter-member.js';
import { elementsOf, isEqual, OPERATORS, type Dialect } from './filter-operators.js';
import { all, any, inAny, isScalar, type Scalar } from './leaves.js';
import { whyIndex, whyNotFollowed } from './names.js';
import type { Match } from '../rule.js';
import {
  type Answer,
  below,
  type Context,
  isRefusal,
  joined,
  type Part,
  type Parts,
  type Read,
  refuse,
} from './part.js';

type Node = Readonly<Record<string, unknown>>;

/** Members of Outpost's events that events here have, too. */
const OF_OUTPOST = ['id', 'topic', 'data'];

export const readFilter =
  (dialect: Dialect): Read =>
  (part, context) =>
    part.kind === undefined ? readDocument(part, dialect) : readValue(part, dialect, context);

/** A filter for an object. */
function readDocument(part: Part, dialect: Dialect): Answer | Parts {
  const { node, location, steps } = part;
  if (!isObject(node)) return refuse('a filter is an object here');
  const parts: Part[] = [];
  for (const [key, value] of Object.entries(node)) {
    const at = below(location, key);
    if (key === '$not') {
      parts.push({ ...part, node: value, location: at, negated: !part.negated });
    } else if (key === '$or' || key === '$and') {
      if (!Array.isArray(value)) return refuse(`${key} needs an array of filters`, at);
      parts.push({ ...part, node: value, location: at, kind: key });
    } else if (key.startsWith('$')) {
      return refuse(`${key} is not an operator for a whole object`, at);
    } else {
      if (dialect === 'outpost' && ODD.test(key)) return refuse(ODD_TEXT, at);
      if (dialect === 'outpost' && steps.length === 0 && !OF_OUTPOST.includes(key)) {
        return refuse(`events here have no ${JSON.stringify(key)} of Outpost`, at);
      }
      parts.push({ ...part, node: value, location: at, steps: [...steps, key], kind: 'value' });
    }
  }
  return joined(part, 'all', parts);
}

/** A filter for the value of a member, which may be anything. */
function readValue(part: Part, dialect: Dialect, context: Context): Answer | Parts {
  const { node, location, steps, kind } = part;
  if (kind !== 'value') {
    const { kind: _, ...rest } = part;
    const parts = (node as unknown[]).map((inner, i) => ({
      ...rest,
      node: inner,
      location: below(location, i),
    }));
    return joined(part, kind === '$or' ? 'any' : 'all', parts);
  }
  const followed = dialect === 'hookdeck' ? whyNotFollowed(steps, { ...context, objects: true }, true) : null;
  const reason = followed ?? whyIndex(steps, context);
  if (reason !== null) return refuse(reason);
  if (dialect === 'outpost' && !isObject(node) && hasOdd(node)) return refuse(ODD_TEXT);
  if (isScalar(node)) return isEqualOrHas(part, node, dialect, context);
  if (Array.isArray(node)) return readList(part, node, dialect, context);
  return readObject(part, node as Node, dialect, context);
}

/** Operators, alternatives or members. */
function readObject(part: Part, node: Node, dialect: Dialect, context: Context): Answer | Parts {
  const keys = Object.keys(node);
  const operators = keys.filter((key) => OPERATORS.includes(key));
  if (keys.includes('$or') && !(keys.length === 1 && isObjectAt(part.steps, context))) {
    return readAlternatives(part, node, dialect);
  }
  if (operators.length === 0) return readMembers(part, node, context);
  if (operators.length < keys.length) {
    return refuse('what is beside operators is ignored by the original; leave it out');
  }
  return readOperators(part, node, operators, dialect, context);
}

/** An object whose members are filtered: of an array, one element must meet all of it. */
function readMembers(part: Part, node: Node, context: Context): Answer | Parts {
  const { kind: _, ...document } = part;
  const { steps } = part;
  if (isObjectAt(steps, context)) return { join: 'all', parts: [document] };
  const keys = Object.keys(node);
  const [key] = keys;
  if (key === undefined) {
    return refuse('an empty filter asks for an object or an array, which cannot be asked here');
  }
  if (keys.some((name) => name.startsWith('$'))) {
    return refuse('only filters of a whole event may have $not, $and and $ref');
  }
  if (keys.length > 1 && !context.objects) {
    return refuse(
      "one element of an array would have to meet all of this; if it is never an array, import with assume: ['objects']",
    );
  }
  return { join: 'all', parts: [document] };
}

/** A plain value: the member is equal, or has an element that is. */
function isEqualOrHas(part: Part, value: Scalar, dialect: Dialect, context: Context): Answer {
  return inAny(places(part, part.steps, context, true), (place) => isEqual(place, value, dialect));
}

/** An array: the member is an array that has an element for each of these. */
function readList(part: Part, list: readonly unknown[], dialect: Dialect, context: Context): Answer {
  if (dialect === 'hookdeck' && !context.objects) {
    return refuse(
      "Hookdeck also compares an array with the members of an object; if this is never one, import with assume: ['objects']",
    );
  }
  if (list.length === 0 || !list.every(isScalar)) {
    return refuse('a list is converted that has texts, numbers and the like');
  }
  const arrays = places(part, part.steps, context, false);
  if (arrays.length > 1 && list.length > 1) {
    return refuse(
      "one array would have to have all of this; if only one is read here, import with assume: ['objects']",
    );
  }
  const elements = arrays.map((place) => (isRefusal(place) ? place : elementsOf(place)));
  const answers = list.map((value) => inAny(elements, (place) => isEqual(place, value, dialect)));
  return answers.find(isRefusal) ?? (part.negated ? any : all)(...(answers as Match[]));
}

/** Alternatives for one value. */
function readAlternatives(part: Part, node: Node, dialect: Dialect): Parts | ReturnType<typeof refuse> {
  const list = node.$or;
  if (Object.keys(node).length > 1) {
    return refuse('what is beside $or is ignored by the original; leave it out');
  }
  if (!Array.isArray(list)) return refuse('$or needs an array');
  const odd = list.findIndex((inner) => !isScalar(inner) || (inner === null && dialect === 'hookdeck'));
  const at = below(part.location, '$or');
  if (odd >= 0) {
    return refuse(
      'only texts, numbers and the like are converted as alternatives for a value',
      below(at, odd),
    );
  }
  return joined(
    part,
    'any',
    list.map((inner: unknown, i) => ({ ...part, node: inner, location: below(at, i) })),
  );
}
