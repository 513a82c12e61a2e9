/** Conditions of json-rules-engine 7, as an engine with `allowUndefinedFacts` answers them. */
import { isObject } from '../../json.js';
import { all, any, inAny, isArray, isNotArray, isOneOf, isScalar, placeOf, type Scalar } from './leaves.js';
import { stepsToObject, whyNotFollowed } from './names.js';
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
  type Refusal,
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
  if (unknown === 'condition') {
    return refuse('a condition that is named elsewhere is not in this file', below(location, unknown));
  }
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
  const refused = whyNotRead(part.location, node);
  if (refused !== null) return refused;
  const { fact, path } = node as { readonly fact: string; readonly path?: unknown };
  const names = path === undefined || path === '' ? [] : namesIn(path);
  if (names === null) {
    return refuse('only paths such as $.a.b, $.a[0] and $ are converted', below(part.location, 'path'));
  }
  const steps = [...context.root, fact, ...names];
  const reason = whyNotFollowed(steps, context, false);
  if (reason !== null) return refuse(reason, below(part.location, names.length === 0 ? 'fact' : 'path'));
  // A path into a fact that is not an object or an array is ignored: the fact itself is compared.
  const isContainer = context.objects || stepsToObject(steps, context) > context.root.length;
  const self = names.length === 0 || isContainer ? [] : [[...context.root, fact]];
  return readOperator(part, node, [steps, ...self], context);
}

/** Says why a comparison cannot be converted whatever its operator is; `null` if it can. */
function whyNotRead(location: Part['location'], { fact, params, value }: Node): Refusal | null {
  if (params !== undefined && !(isObject(params) && Object.keys(params).length === 0)) {
    return refuse('a fact that takes parameters is computed by a program', below(location, 'params'));
  }
  if (typeof fact !== 'string') return refuse('fact must be the name of a member', below(location, 'fact'));
  if (value === undefined) return refuse('value is missing');
  return isObject(value) && Object.hasOwn(value, 'fact')
    ? refuse('two members cannot be compared with each other here', below(location, 'value'))
    : null;
}

/** The names in a JSONPath that has no operators. */
function namesIn(path: unknown): readonly string[] | null {
  if (typeof path !== 'string' || !/^\$(?:\.[A-Za-z_][\w-]*|\[\d+\])*$/.test(path)) return null;
  return path.match(/[\w-]+/g) ?? [];
}

/** An operator without its decorators, and whether it is negated. */
interface Operator {
  readonly name: string;
  readonly negated: boolean;
  /** Whether one of the elements is compared. */
  readonly ofSome: boolean;
}

function operatorOf(text: unknown): Operator | string {
  if (typeof text !== 'string') return 'operator must be a text';
  const [name = '', ...decorators] = text.split(':').reverse();
  const ofSome = decorators[0] === 'someFact';
  const nots = decorators.slice(ofSome ? 1 : 0);
  if (nots.some((decorator) => decorator !== 'not')) {
    return 'of the decorators only not: and someFact: before an operator are converted';
  }
  const isNegative = name === 'notEqual' || name === 'notIn';
  if (ofSome && (isNegative || name === 'contains' || name === 'doesNotContain')) {
    return 'that some element is not equal to a value cannot be asked here';
  }
  return { name, negated: (nots.length % 2 === 1) !== isNegative, ofSome };
}

/** @param targets - The values that are compared: one of them is. */
function readOperator(
  part: Part,
  { operator, value }: Node,
  targets: readonly Steps[],
  context: Context,
): Answer {
  const at = below(part.location, 'operator');
  const parsed = operatorOf(operator);
  if (typeof parsed === 'string') return refuse(parsed, at);
  const { name, ofSome } = parsed;
  const asked = { ...part, negated: part.negated !== parsed.negated };
  const [steps = []] = targets;
  const places = (ofSome ? [[...steps, null]] : targets).map((one) => placeOf(asked, one, context));
  const valueAt = below(part.location, 'value');
  if (['equal', 'notEqual', 'in', 'notIn'].includes(name)) {
    const values = name.endsWith('n') ? value : [value];
    if (!Array.isArray(values)) return refuse('value must be an array', valueAt);
    return values.every(isScalar)
      ? inAny(places, (place) => isOneOf(place, values))
      : refuse(BY_IDENTITY, valueAt);
  }
  if (name === 'contains' || name === 'doesNotContain') {
    return isScalar(value)
      ? readContains(asked, name === 'doesNotContain', value, steps, context)
      : refuse(BY_IDENTITY, valueAt);
  }
  const order = Object.hasOwn(ORDERS, name) ? ORDERS[name] : undefined;
  if (order === undefined) return refuse(`${JSON.stringify(name)} is not one of its own operators`, at);
  if (typeof value !== 'number') return refuse('only numbers are ordered by json-rules-engine', valueAt);
  if (targets.length > 1) return refuse(ORDERS_ITSELF, at);
  return inAny(places, (place) => isOrdered(place, order, value, { converts: true, byUnit: true }));
}

const BY_IDENTITY = 'json-rules-engine compares arrays and objects by identity';
const ORDERS_ITSELF =
  "the fact itself is ordered if it is not an object; import with assume: ['objects'] if it always is one";

/** Whether a value is an array that has an element, or that does not have it. */
function readContains(part: Part, doesNot: boolean, value: Scalar, steps: Steps, context: Context): Answer {
  const whole = placeOf(part, steps, context);
  const elements = placeOf({ ...part, negated: part.negated !== doesNot }, [...steps, null], context);
  if (isRefusal(whole)) return whole;
  if (isRefusal(elements)) return elements;
  const found = isOneOf(elements, [value]);
  if (!doesNot || isRefusal(found) || typeof found === 'boolean') return found;
  return part.negated ? any(all(...isNotArray(whole.path)), found) : all(any(...isArray(whole.path)), found);
}
