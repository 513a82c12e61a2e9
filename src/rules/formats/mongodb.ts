/** Queries of MongoDB, where sift 17 and mingo 7 answer alike. */
import { isObject, type Json } from '../../json.js';
import { toRe2 } from './js-pattern.js';
import {
  inAny,
  isMatching,
  isOneOf,
  isPresent,
  isScalar,
  isStructure,
  type Place,
  placeOf,
  type Scalar,
} from './leaves.js';
import { stepsToObject, throughArrays, whyNotFollowed } from './names.js';
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
  type Refusal,
  refuse,
  type Steps,
} from './part.js';

const GROUPS: Readonly<Record<string, 'all' | 'any'>> = { $and: 'all', $or: 'any', $nor: 'any' };
const ORDERS: Readonly<Record<string, OrderOperator>> = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' };

export const readMongoDB: Read = (part, context) => {
  if (part.kind !== undefined) return readOperator(part, part.kind, context);
  const { node, location } = part;
  if (!isObject(node)) return refuse('a query is an object');
  const keys = Object.keys(node);
  const [only] = keys;
  if (keys.length !== 1 || only === undefined) {
    const parts = keys.map((key) => ({ ...part, node: { [key]: node[key] } }));
    return joined(part, 'all', parts);
  }
  const value = node[only];
  const at = below(location, only);
  if (Object.hasOwn(GROUPS, only)) return readGroup(part, only, value, at);
  if (only.startsWith('$')) return refuse(`${only} has no equal here`, at);
  return readField(
    { ...part, node: value, location: at, steps: [...part.steps, ...only.split('.')] },
    context,
  );
};

function readGroup(part: Part, operator: string, value: unknown, at: Part['location']): Parts | Refusal {
  if (!Array.isArray(value) || value.length === 0) return refuse(`${operator} needs an array of queries`, at);
  const negated = part.negated !== (operator === '$nor');
  const parts = value.map((node: unknown, i) => ({ ...part, node, location: below(at, i), negated }));
  return joined({ ...part, negated }, GROUPS[operator] as 'all' | 'any', parts);
}

/** A member, and a value or an object of operators. */
function readField(part: Part, context: Context): Answer | Parts {
  const { node, location, steps } = part;
  const reason = whyNotFollowed(steps, context, true) ?? whyNotName(part, context);
  if (reason !== null) return refuse(reason);
  const operators = isObject(node) ? Object.keys(node).filter((key) => key.startsWith('$')) : [];
  if (!isObject(node) || operators.length === 0) return { join: 'all', parts: [{ ...part, kind: '$eq' }] };
  const others = Object.keys(node).filter((key) => !operators.includes(key));
  if (others.length > 0) return refuse('names and operators are mixed here');
  const isPattern = operators.includes('$regex');
  const parts = operators
    .filter((operator) => operator !== '$options' || !isPattern)
    .map((operator) => {
      const value =
        operator === '$regex' ? { source: node.$regex, flags: node.$options ?? '' } : node[operator];
      return { ...part, node: value, location: below(location, operator), kind: operator };
    });
  return joined(part, 'all', parts);
}

/** A name that sift reads as a number is a member of an array to it. */
function whyNotName({ steps }: Part, { objects }: Context): string | null {
  const odd = steps.find(
    (step) => step !== null && !Number.isNaN(Number(step)) && !/^(?:0|[1-9]\d*)$/.test(step),
  );
  if (odd !== undefined && odd !== null) {
    return `${JSON.stringify(odd)} spells a number, which sift and mingo read differently`;
  }
  const index = steps.find((step) => step !== null && /^\d+$/.test(step));
  if (objects || index === undefined) return null;
  return `${JSON.stringify(index)} may be an index or a name; if it is always one of them, import with assume: ['objects']`;
}

function readOperator(part: Part, operator: string, context: Context): Answer | Parts {
  const { node, steps } = part;
  if (operator === '$not') {
    const { kind: _, ...rest } = part;
    const hasOperators = isObject(node) && Object.keys(node).some((key) => key.startsWith('$'));
    return hasOperators
      ? readField({ ...rest, negated: !part.negated }, context)
      : refuse('$not needs operators');
  }
  const isExists = operator === '$exists';
  if (isExists && typeof node !== 'boolean') return refuse('$exists needs true or false');
  const isNegative = operator === '$ne' || operator === '$nin' || (isExists && node === false);
  const asked = { ...part, negated: part.negated !== isNegative };
  const paths = throughArrays(steps, context);
  if (paths === null) {
    return refuse("this may look into too many arrays; if they are objects, import with assume: ['objects']");
  }
  // The value may be an array, too.
  const places = paths.flatMap((path) =>
    (isExists ? [path] : [path, [...path, null]]).map((one) => placeOf(asked, one, context)),
  );
  return isExists ? inAny(places, isPresent) : readTest(operator, node, { steps, places, context });
}

/** The paths of a member, and the places where it is looked for. */
interface Member {
  readonly steps: Steps;
  readonly places: readonly (Place | Refusal)[];
  readonly context: Context;
}

function readTest(operator: string, value: unknown, member: Member): Answer {
  switch (operator) {
    case '$eq':
    case '$ne':
      return isScalar(value) ? isIn(member, [value]) : isEqual(member, value);
    case '$in':
    case '$nin':
      return Array.isArray(value) && value.every(isScalar)
        ? isIn(member, value)
        : refuse(`${operator} is converted with a list of texts, numbers and the like`);
    case '$regex':
      return isFound(value as { readonly source: unknown; readonly flags: unknown }, member);
    default: {
      const order = Object.hasOwn(ORDERS, operator) ? ORDERS[operator] : undefined;
      return order === undefined
        ? refuse(`${operator} has no equal here`)
        : inAny(member.places, (place) => isOrdered(place, order, value, { converts: false, byUnit: true }));
    }
  }
}

/** One of some values, or an element that is. `null` stands for an absent member, too. */
function isIn({ steps, places, context }: Member, values: readonly Scalar[]): Answer {
  const hasNull = values.includes(null);
  if (hasNull && !context.objects && steps.length > stepsToObject(steps, context) + 1) {
    return refuse(
      "null means absent, too, and whether a member of array elements is; import with assume: ['objects'] if none is read here",
    );
  }
  return inAny(places, (place) => isOneOf(place, values, hasNull && !place.starred));
}

function isEqual({ places, context }: Member, value: unknown): Answer {
  if (!context.objects) {
    return refuse(
      "arrays and objects are compared with what arrays on the way hold, too; import with assume: ['objects'] if there are none",
    );
  }
  return inAny(places, (place) => isStructure(place, value as Json));
}

function isFound(
  { source, flags }: { readonly source: unknown; readonly flags: unknown },
  { places }: Member,
): Answer {
  if (typeof source !== 'string' || typeof flags !== 'string') {
    return refuse('$regex and $options must be texts');
  }
  const pattern = toRe2(source, flags);
  return isRefusal(pattern) ? pattern : inAny(places, (place) => isMatching(place, pattern));
}
