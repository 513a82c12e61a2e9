/** Conditions of JsonLogic, as json-logic-js 2 answers them. */
import { isObject } from '../../json.js';
import { argumentsOf, memberAt, OPERATORS, readTest, stepsOf } from './json-logic-tests.js';
import { isOneOf, isPresent, placeOf } from './leaves.js';
import {
  type Answer,
  below,
  type Context,
  isRefusal,
  joined,
  type Part,
  type Parts,
  type Read,
  type Refusal,
  refuse,
} from './part.js';

export const readJsonLogic: Read = (part, context) => {
  const { node } = part;
  if (part.kind === 'elements') {
    const place = placeOf(part, part.steps, context);
    return isRefusal(place) ? place : isPresent(place);
  }
  if (typeof node === 'boolean') return node !== part.negated;
  const keys = isObject(node) ? Object.keys(node) : [];
  const [operator] = keys;
  return !isObject(node) || operator === undefined || keys.length > 1
    ? refuse('only true, false and objects with one operator are converted')
    : readLogic(part, operator, node[operator], context);
};

function readLogic(part: Part, operator: string, operand: unknown, context: Context): Answer | Parts {
  const location = below(part.location, operator);
  const values = argumentsOf(operand);
  const parts = values.map((node, i) => ({ ...part, node, location: argumentAt(location, operand, i) }));
  const [first] = parts;
  if (first === undefined) return refuse('this has no operands', location);
  switch (operator) {
    case '!':
      return joined(part, 'all', [{ ...first, negated: !part.negated }]);
    case '!!':
      return joined(part, 'all', [first]);
    case 'and':
    case 'or':
      return inScope(part, operator === 'and' ? 'all' : 'any', parts);
    case 'some':
    case 'none':
    case 'all':
      return readElements(
        part,
        operator,
        values,
        parts.map((one) => one.location),
        context,
      );
    case 'missing':
      return readMissing(part, values, context);
    default:
      return OPERATORS.includes(operator)
        ? readTest(part, operator, values, context)
        : refuse(`${JSON.stringify(operator)} has no equal here`, location);
  }
}

const argumentAt = (location: Part['location'], value: unknown, index: number): Part['location'] =>
  Array.isArray(value) ? below(location, index) : location;

/** A group. In a condition on elements, different elements could meet its parts, unless one part is enough. */
function inScope(part: Part, join: 'all' | 'any', parts: readonly Part[]): Parts | Refusal {
  const group = joined(part, join, parts);
  if (part.some === undefined) return group;
  if (group.join === 'all' && parts.length > 1) {
    return refuse('that one element meets several conditions cannot be asked here');
  }
  return { join: part.some.negated ? 'all' : 'any', parts };
}

/** `some`, `none` and `all`: whether one element meets a condition, or, for `all`, whether none misses it. */
function readElements(
  part: Part,
  operator: string,
  [list, condition]: readonly unknown[],
  [listAt = null, conditionAt = null]: readonly Part['location'][],
  context: Context,
): Answer | Parts {
  if (part.some !== undefined) return refuse('conditions on elements of elements are not converted');
  const steps = stepsOf(list, part, context);
  if (steps === null) return refuse('only the elements of a member are tested here', listAt);
  if (isRefusal(steps)) return { location: listAt, ...steps };
  const isNone = operator !== 'some';
  const inner = {
    ...part,
    node: condition,
    location: conditionAt,
    steps: [...steps, null],
    negated: operator === 'all',
    some: { negated: part.negated !== isNone },
  };
  if (operator !== 'all') return { join: 'all', parts: [inner] };
  // An empty array does not meet `all`.
  return joined(part, 'all', [{ ...part, kind: 'elements', steps: [...steps, null] }, inner]);
}

/** Whether a member is absent, `null` or empty; of several, whether any is. */
function readMissing(part: Part, values: readonly unknown[], context: Context): Answer | Parts {
  const [first] = values;
  const names: readonly unknown[] = Array.isArray(first) ? first : values;
  if (part.some !== undefined || names.length === 0 || !names.every((name) => typeof name === 'string')) {
    return refuse('missing is converted with the names of members');
  }
  if (names.length > 1) {
    return joined(
      part,
      'any',
      names.map((name) => ({ ...part, node: { missing: [name] } })),
    );
  }
  const place = memberAt(part, { var: names[0] }, context);
  return isRefusal(place) ? place : isOneOf(place, [null, ''], true);
}
