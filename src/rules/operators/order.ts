/** `gt`, `gte`, `lt` and `lte`: they order values. */
import { compareCodePoints } from '../../unicode.js';
import { numberIn, numberSpelled } from '../values/index.js';
import type { AnyLeaf, Definition, Form, Test } from './operator.js';

/** Orders the value at `path` against a number, or a string by code point. */
export interface OrderLeaf extends AnyLeaf {
  readonly op: 'gt' | 'gte' | 'lt' | 'lte';
  readonly value: number | string;
}

export const orderForm: Form<OrderLeaf['op']> = {
  name: 'orderLeaf',
  value: { type: ['number', 'string'], description: 'a number or a string' },
  operators: {
    gt: { aliases: '> greater greaterthan morethan after above' },
    gte: {
      aliases:
        '>= => ge gteq greaterorequal greaterthanorequal greaterthanorequals greaterthanorequalto atleast min',
    },
    lt: { aliases: '< less lessthan fewerthan before below' },
    lte: {
      aliases: '<= =< le lteq lessorequal lessthanorequal lessthanorequals lessthanorequalto atmost max',
    },
  },
};

export const orderOperators: Readonly<Record<OrderLeaf['op'], Definition<number | string>>> = {
  gt: /* @__PURE__ */ bounding(true, true, (order) => order > 0),
  gte: /* @__PURE__ */ bounding(true, false, (order) => order >= 0),
  lt: /* @__PURE__ */ bounding(false, true, (order) => order < 0),
  lte: /* @__PURE__ */ bounding(false, false, (order) => order <= 0),
};

/** @param accepts - Whether the order of subject and value (negative, zero, positive) satisfies the operator. */
function bounding(
  isLower: boolean,
  isStrict: boolean,
  accepts: (order: number) => boolean,
): Definition<number | string> {
  return {
    test: (value) => ordered(value, accepts),
    demand: (value) => ({ kind: 'bound', isLower, isStrict, value }),
  };
}

/** Numeric if both sides are numbers or spell one, otherwise by code point if both are strings. */
function ordered(value: number | string, accepts: (order: number) => boolean): Test {
  const number = typeof value === 'number' ? value : numberIn(value);
  return (subject, account) => {
    if (typeof subject !== 'number' && typeof subject !== 'string') return false;
    const subjectNumber =
      typeof subject === 'number'
        ? subject
        : number === undefined
          ? undefined
          : numberSpelled(subject, account);
    if (number !== undefined && subjectNumber !== undefined) {
      return accepts(subjectNumber < number ? -1 : subjectNumber > number ? 1 : 0);
    }
    if (typeof subject !== 'string' || typeof value !== 'string') return false;
    return accepts(compareCodePoints(subject, value));
  };
}
