/** Members that filters of Hookdeck and Outpost look for, and the operators on them. */
import { isObject } from '../../json.js';
import { stringifyJson } from '../../json-text.js';
import type { Match } from '../rule.js';
import { readOperator, type Dialect } from './filter-operators.js';
import { all, any, inAny, isOneOf, isPresent, placeOf } from './leaves.js';
import { stepsToObject, throughArrays } from './names.js';
import {
  type Answer,
  below,
  type Context,
  isRefusal,
  joined,
  type Part,
  type Parts,
  refuse,
  type Steps,
} from './part.js';

type Node = Readonly<Record<string, unknown>>;

/** Whether a value is known to be an object: the root, and the data of an event. */
export const isObjectAt = (steps: Steps, context: Context): boolean =>
  steps.length <= stepsToObject(steps, context);

/** The places of a member, on the way to which arrays may be. */
export const places = (part: Part, steps: Steps, context: Context, intoValue: boolean) => {
  const paths = throughArrays(steps, context);
  if (paths === null) {
    return [
      refuse("this may look into too many arrays; if they are objects, import with assume: ['objects']"),
    ];
  }
  return paths.flatMap((path) =>
    (intoValue ? [path, [...path, null]] : [path]).map((one) => placeOf(part, one, context)),
  );
};

/** Half a surrogate pair, which Go reads as U+FFFD, and that character. */
export const ODD = /[\ud800-\udfff\ufffd]/u;
export const ODD_TEXT = 'Outpost reads half a surrogate pair as U+FFFD, so neither is converted';

/** As JSON text, half a surrogate pair is an escape. */
export const hasOdd = (value: unknown): boolean => /\\ud[89a-f]|\ufffd/i.test(stringifyJson(value));

/** Reads an object of operators. */
export function readOperators(
  part: Part,
  node: Node,
  operators: readonly string[],
  dialect: Dialect,
  context: Context,
): Answer | Parts {
  const { location, steps } = part;
  if (operators.length > 1) {
    if (node.$exist === false) {
      return refuse('an absent value has nothing else to meet; leave the other operators out');
    }
    if (!context.objects && steps.length - 1 > stepsToObject(steps, context)) {
      return refuse(
        "one element of an array would have to meet all of this; if none is read here, import with assume: ['objects']",
      );
    }
    return joined(
      part,
      'all',
      operators.map((key) => ({ ...part, node: { [key]: node[key] } })),
    );
  }
  const [operator = ''] = operators;
  const value = node[operator];
  const at = below(location, operator);
  if (dialect === 'outpost' && hasOdd(value)) return refuse(ODD_TEXT, at);
  if (isObject(value) && Object.hasOwn(value, '$ref')) {
    return refuse('two members cannot be compared with each other here', at);
  }
  const answer =
    operator === '$exist'
      ? readExist(part, value, context)
      : inAny(places(part, steps, context, false), (place) => readOperator(place, operator, value, dialect));
  return isRefusal(answer) ? { location: at, ...answer } : answer;
}

function readExist(part: Part, value: unknown, context: Context): Answer {
  const { steps } = part;
  if (typeof value !== 'boolean') return refuse('$exist needs true or false');
  if (value) return inAny(places(part, steps, context, false), isPresent);
  const parent = steps.slice(0, -1);
  const known = isObjectAt(parent, context);
  if (!known && !context.objects) {
    return refuse(
      "an element of an array may have no such member; if none is read here, import with assume: ['objects']",
    );
  }
  const place = placeOf({ ...part, negated: !part.negated }, steps, context);
  if (isRefusal(place) || known) return isRefusal(place) ? place : isPresent(place);
  // The object that does not have it must be there.
  const object = placeOf({ ...part, negated: !part.negated }, parent, context);
  if (isRefusal(object)) return object;
  const isNull = isOneOf(object, [null], true) as Match;
  return part.negated ? any(isPresent(place), isNull) : all(isPresent(place), isNull);
}
