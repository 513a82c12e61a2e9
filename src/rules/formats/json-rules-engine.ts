/** Conditions of json-rules-engine 7, as an engine with `allowUndefinedFacts` answers them. */
import { isObject } from '../../json.js';
import { all, any, inAny, isArray, isNotArray, isOneOf, isScalar, placeOf } from './leaves.js';
import { stepsToObject, whyNotRead } from './names.js';
import { isOrdered, type OrderOperator } from './order.js';
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
  type Steps,
} from './part.js';

type Node = Readonly<Record<string, unknown>>;

const ORDERS: Readonly<Record<string, OrderOperator>> = {
  lessThan: 'lt',
  lessThanInclusive: 'lte',
  greaterThan: 'gt',
  greaterThanInclusive: 'gte',
};

/** Members that say nothing about which events a condition holds for. */
const IDLE = ['name', 'priority'];

export const readRulesEngine: Read = (part, context) => {
  const { node, location } = part;
  if (!isObject(node)) return refuse('a condition of json-rules-engine is an object');
  const joins = ['any', 'all', 'not'].filter((key) => Object.hasOwn(node, key));
  const [join] = joins;
  const known =
    join === undefined ? ['fact', 'operator', 'value', 'path', 'params', ...IDLE] : [join, ...IDLE];
  const unknown = Object.keys(node).find((key) => !known.includes(key));
  if (unknown === 'condition')
    {return refuse('a condition that is named elsewhere is not in this file', below(location, unknown));}
  if (unknown !== undefined) {
    return refuse(
      `json-rules-engine has no ${JSON.stringify(unknown)} in such a condition`,
      below(location, unknown),
    );
  }
  if (join === undefined) return readFact(part, node, context);
  const children = node[join];
  if (join === 'not') {
    return joined(part, 'all', [
      { ...part, node: children, location: below(location, join), negated: !part.negated },
    ]);
  }
  if (!Array.isArray(children)) return refuse(`${join} must be an array`, below(location, join));
  // An empty `any` holds, too.
  if (children.length === 0) return !part.negated;
  return group(part, join as 'all' | 'any', children);
};

const group = (part: Part, join: 'all' | 'any', children: readonly unknown[]): Parts =>
  joined(
    part,
    join,
    children.map((node, i) => ({ ...part, node, location: below(part.location, join, i) })),
  );

function readFact(part: Part, node: Node, context: Context): Answer {
  const { location } = part;
  const { fact, path, params, value } = node;
  if (params !== undefined && !(isObject(params) && Object.keys(params).length === 0)) {
    return refuse('a fact that takes parameters is computed by a program', below(location, 'params'));
  }
  if (typeof fact !== 'string') return refuse('fact must be the name of a member', below(location, 'fact'));
  if (!Object.hasOwn(node, 'value')) return refuse('value is missing');
  if (isObject(value) && Object.hasOwn(value, 'fact')) {
    return refuse('two members cannot be compared with each other here', below(location, 'value'));
  }
  const names = path === undefined || path === '' ? [] : namesIn(path);
  if (names === null) {
    return refuse('only paths such as $.a.b, $.a[0] and $ are converted', below(location, 'path'));
  }
  const steps = [...context.root, fact, ...names];
  const reason = whyNotRead(steps, context, false);
  if (reason !== null) return refuse(reason, below(location, names.length === 0 ? 'fact' : 'path'));
  // A path into a fact that is not an object or an array is ignored: the fact itself is compared.
  const isContainer = context.objects || stepsToObject(steps, context) > context.root.length;
  const self = names.length === 0 || isContainer ? [] : [[...context.root, fact]];
  return readOperator(part, node, [steps, ...self], context);
}

/** The names in a JSONPath that has no operators. */
function namesIn(path: unknown): readonly string[] | null {
  if (typeof path !== 'string' || !/^\$(?:\.[A-Za-z_][\w-]*|\[\d+\])*$/.test(path)) return null;
  return path.match(/[\w-]+/g) ?? [];
}

/** @param targets - The values that are compared: one of them is. */
function readOperator(part: Part, node: Node, targets: readonly Steps[], context: Context): Answer {
  const { value } = node;
  const at = below(part.location, 'operator');
  if (typeof node.operator !== 'string') return refuse('operator must be a text', at);
  const [operator = '', ...decorators] = node.operator.split(':').reverse();
  const isOfSome = decorators[0] === 'someFact';
  const nots = decorators.slice(isOfSome ? 1 : 0);
  if (nots.some((decorator) => decorator !== 'not')) {
    return refuse('of the decorators only not: and someFact: before an operator are converted', at);
  }
  const isNegative = operator === 'notEqual' || operator === 'notIn';
  if (isOfSome && (isNegative || operator.includes('ontain'))) {
    return refuse('that some element is not equal to a value cannot be asked here', at);
  }
  const negated = [part.negated, isNegative, ...nots.map(() => true)].filter(Boolean).length % 2 === 1;
  const ask = { ...part, negated };
  const [steps = []] = targets;
  switch (operator) {
    case 'equal':
    case 'notEqual':
    case 'in':
    case 'notIn': {
      const values = operator.endsWith('n') ? value : [value];
      if (!Array.isArray(values)) return refuse('value must be an array', below(part.location, 'value'));
      if (!values.every(isScalar)) {
        return refuse(
          'json-rules-engine compares arrays and objects by identity',
          below(part.location, 'value'),
        );
      }
      const places = isOfSome ? [[...steps, null]] : targets;
      return inAny(
        places.map((one) => placeOf(ask, one, context)),
        (place) => isOneOf(place, values),
      );
    }
    case 'contains':
    case 'doesNotContain':
      return readContains(ask, operator, value, steps, context);
    default: {
      const order = Object.hasOwn(ORDERS, operator) ? ORDERS[operator] : undefined;
      if (order === undefined)
        {return refuse(`${JSON.stringify(operator)} is not one of its own operators`, at);}
      if (typeof value !== 'number')
        {return refuse('only numbers are ordered by json-rules-engine', below(part.location, 'value'));}
      if (targets.length > 1)
        {return refuse(
          "the fact itself is ordered if it is not an object; import with assume: ['objects'] if it always is one",
          at,
        );}
      const place = placeOf(ask, isOfSome ? [...steps, null] : steps, context);
      return isRefusal(place) ? place : isOrdered(place, order, value, { converts: true, byUnit: true });
    }
  }
}

/** Both hold for arrays alone. */
function readContains(part: Part, operator: string, value: unknown, steps: Steps, context: Context): Answer {
  if (!isScalar(value))
    {return refuse('json-rules-engine compares arrays and objects by identity', below(part.location, 'value'));}
  const doesNot = operator === 'doesNotContain';
  const whole = placeOf(part, steps, context);
  const elements = placeOf({ ...part, negated: part.negated !== doesNot }, [...steps, null], context);
  if (isRefusal(whole)) return whole;
  if (isRefusal(elements)) return elements;
  const found = isOneOf(elements, [value]);
  if (!doesNot || isRefusal(found) || typeof found === 'boolean') return found;
  return part.negated ? any(all(...isNotArray(whole.path)), found) : all(any(...isArray(whole.path)), found);
}
