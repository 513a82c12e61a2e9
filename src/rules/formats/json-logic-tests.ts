/** Operators of JsonLogic that test one member of an event. */
import { isObject } from '../../json.js';
import type { Match } from '../rule.js';
import { all, any, isOneOf, isScalar, isTextWith, leaf, type Place, placeOf } from './leaves.js';
import { whyNotFollowed } from './names.js';
import { isOrdered, MIRRORED, OPPOSITES, type OrderOperator } from './order.js';
import { type Answer, type Context, isRefusal, type Part, type Refusal, refuse, type Steps } from './part.js';

const ORDERS: Readonly<Record<string, OrderOperator>> = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' };
/** Operators that a condition can have, without those that consist of other conditions. */
export const OPERATORS = ['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in', 'var'];

/** `{ "var": "a" }` is short for `{ "var": ["a"] }`. */
export const argumentsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const isVar = (node: unknown): node is { readonly var: unknown } =>
  isObject(node) && Object.keys(node).join() === 'var';

/** The member that `{ "var": … }` reads; `null` if a node is something else. */
export function stepsOf(node: unknown, { steps, some }: Part, context: Context): Steps | Refusal | null {
  if (!isVar(node)) return null;
  const [name, ...rest] = argumentsOf(node.var);
  if (rest.length > 0) return refuse('a var with a default has no equal here');
  if (name === '' || name === null) {
    return some === undefined ? refuse('this reads the event as a whole') : steps;
  }
  if (typeof name !== 'string' && typeof name !== 'number') {
    return refuse('the name of a member is computed here');
  }
  const names = [...steps, ...String(name).split('.')];
  const reason = whyNotFollowed(names, context, true);
  return reason === null ? names : refuse(reason);
}

/** Reads an operator that tests one member. */
export function readTest(part: Part, operator: string, values: readonly unknown[], context: Context): Answer {
  const operands = operator === 'var' ? [part.node] : values;
  const index = operands.findIndex(isVar);
  if (index < 0 || operands.filter(isVar).length > 1) return ONE_MEMBER;
  const place = memberAt(part, operands[index], context);
  if (isRefusal(place)) return place;
  if (part.some !== undefined && part.negated && !ASKS_OPPOSITE.includes(operator)) return NO_OPPOSITE;
  return operator === 'var' ? isTruthy(part, place) : readOperator(part, operator, operands, index, place);
}

/** Operators of which an element can be asked the opposite: whether it is equal. */
const ASKS_OPPOSITE = ['!=', '!=='];
const NO_OPPOSITE = /* @__PURE__ */ refuse('that one element does not meet a condition cannot be asked here');

/** Whether JsonLogic takes a value for true: not `null`, `false`, `0`, `""` or `[]`. */
function isTruthy({ some, negated }: Part, { path }: Place): Answer {
  if (some !== undefined) return refuse('that one element is true cannot be asked here');
  const falsy = [null, false, 0, '', []];
  if (!negated) {
    return any(leaf(path, 'not_in', falsy), all(leaf(path, 'starts_with', ''), leaf(path, 'neq', '')));
  }
  // "0" and "0.0" are true, but eq 0.
  return any(
    leaf(path, 'missing'),
    leaf(path, 'in', [null, false, '', []]),
    all(leaf(path, 'eq', 0), leaf(path, 'not_contains', '')),
  );
}

/** The member that a node reads. */
export function memberAt(part: Part, node: unknown, context: Context): Place | Refusal {
  const steps = stepsOf(node, part, context);
  return steps === null || isRefusal(steps) ? (steps ?? ONE_MEMBER) : placeOf(part, steps, context);
}

const ONE_MEMBER = /* @__PURE__ */ refuse('only a comparison of one member with values is converted');

/** @param index - The operand that is the member. */
function readOperator(
  part: Part,
  operator: string,
  operands: readonly unknown[],
  index: number,
  place: Place,
): Answer {
  const others = operands.filter((_, i) => i !== index);
  const [value] = others;
  const order = ORDERS[operator];
  if (order !== undefined) return readOrder(part, order, others, index, place);
  if (operands.length !== 2) return refuse(`${operator} takes two operands`);
  if (operator === 'in') return readIn(value, index, place);
  if (operator.endsWith('sWith')) {
    if (index !== 0 || typeof value !== 'string') {
      return refuse(`${operator} is converted with a member and a text`);
    }
    return isTextWith(place, operator === 'startsWith' ? 'starts_with' : 'ends_with', value);
  }
  if (!isScalar(value)) return refuse('arrays and objects are compared by identity, or as texts');
  const isLoose = operator.length === 2;
  if (isLoose && value !== null && !place.kinds) {
    return refuse(
      `${operator} also converts: " 5" and [5] are 5 to it; if ${place.path} is of one kind in all events, import with assume: ['kinds'], or write ${operator}=`,
    );
  }
  const isUnequal = operator.startsWith('!');
  if (part.some !== undefined) {
    if (isUnequal !== part.negated) return NO_OPPOSITE;
    if (value === null) return refuse('that an element has no member cannot be asked here');
    return isOneOf(place, [value]);
  }
  return isOneOf({ ...place, negated: place.negated !== isUnequal }, [value], value === null);
}

function readOrder(
  part: Part,
  order: OrderOperator,
  others: readonly unknown[],
  index: number,
  place: Place,
): Answer {
  if (part.some !== undefined && part.negated) return NO_OPPOSITE;
  const bounds = others.map((bound, i) => ({ op: i < index ? MIRRORED[order] : order, bound }));
  if (bounds.length === 0 || bounds.length > 2) return refuse('an order is converted with one or two bounds');
  if (bounds.length === 2 && (index !== 1 || !order.startsWith('l') || part.some !== undefined)) {
    return refuse('two bounds are converted with < and <=, around the member of an event');
  }
  const answers = bounds.map(({ op, bound }) => boundedBy(place, op, bound));
  const refused = answers.find(isRefusal);
  if (refused !== undefined) return refused;
  const trees = answers.filter((answer) => typeof answer === 'object') as Match[];
  return place.negated ? any(...trees) : all(...trees);
}

/** An absent member and `null` are 0. */
function boundedBy(place: Place, op: OrderOperator, bound: unknown): Answer {
  const { path, starred, negated } = place;
  const answer = isOrdered(place, op, bound, { converts: true, byUnit: true });
  if (isRefusal(answer) || typeof bound !== 'number' || !isBounded(0, op, bound)) return answer;
  if (starred) {
    return refuse('null is 0 to this order, and an element that is null cannot be told from others here');
  }
  if (!negated) return any(leaf(path, 'missing'), leaf(path, 'eq', null), answer as Match);
  return leaf(path, OPPOSITES[op], bound);
}

function isBounded(value: number, op: OrderOperator, bound: number): boolean {
  if (op === 'gt' || op === 'gte') return op === 'gt' ? value > bound : value >= bound;
  return op === 'lt' ? value < bound : value <= bound;
}

/** A text in a text, an element in an array, or a member in a list. */
function readIn(value: unknown, index: number, place: Place): Answer {
  if (index === 0) {
    if (!Array.isArray(value) || !value.every(isScalar)) {
      return refuse('in is converted with a list of texts, numbers and the like');
    }
    const isNullToo = value.includes(null);
    if (place.starred && isNullToo) return refuse('that an element has no member cannot be asked here');
    return isOneOf(place, value, isNullToo);
  }
  if (typeof value !== 'string' || value === '') {
    return refuse('in a member, only a text is looked for that is not empty');
  }
  if (place.starred) return isTextWith(place, 'contains', value);
  // In a text, and in an array that has it as an element.
  const elements = isOneOf({ ...place, path: `${place.path}.*`, starred: true, negated: false }, [value]);
  if (isRefusal(elements)) return elements;
  return place.negated
    ? any(leaf(place.path, 'missing'), leaf(place.path, 'not_contains', value))
    : leaf(place.path, 'contains', value);
}
