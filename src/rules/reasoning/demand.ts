/** A leaf that must hold, or must not, as a demand on the value at its path. */
import { jsonSize, type Json } from '../../json.js';
import { compileLeaf } from '../match/index.js';
import { isNegated, type Demand } from '../operators/index.js';
import type { Leaf } from '../rule.js';
import type { Account } from '../values/index.js';
import type { SizedStep } from './condition.js';
import { meaningOf, type Meaning } from './meaning.js';

/** A demand on one value. */
export interface LeafDemand {
  readonly leaf: Leaf;
  /** The demand of the leaf's operator, or of the one that it negates. */
  readonly demand: Demand;
  /** Whether that must be met by the value, if it is present. */
  readonly yes: boolean;
  /** Whether the demand is met if the path is absent. */
  readonly allowsAbsence: boolean;
  /** Units of comparing with the leaf's value. */
  readonly size: number;
  readonly meaning: Meaning;
  /** The choice that brought it about: how many were made before it. */
  readonly level: number;
  /** Whether a present value meets it; `undefined` if a pattern met its work budget. */
  meets(value: unknown, account: Account): boolean | undefined;
}

/** The demand of a leaf. */
export function leafDemandOf(step: SizedStep, must: boolean, level: number): LeafDemand {
  const { leaf, ofOne, size, demand } = step;
  return {
    leaf,
    demand,
    meaning: meaningOf(demand),
    yes: isNegated(leaf) !== must,
    allowsAbsence: step.ifAbsent === must,
    size,
    level,
    meets(subject, account) {
      const held = ofOne(subject, account);
      return held === undefined ? undefined : held === must;
    },
  };
}

/** The demand that `contains` puts on an element of the array: that it equals the value, or does not. */
export function elementDemand({ leaf, level, size }: LeafDemand, value: Json, yes: boolean): LeafDemand {
  const test = compileLeaf({ path: leaf.path, op: 'eq', value }, {});
  const demand: Demand = { kind: 'equals', values: [value] };
  return {
    leaf,
    demand,
    yes,
    allowsAbsence: !yes,
    size,
    meaning: meaningOf(demand),
    level,
    meets: (subject, account) => test(subject, account) === yes,
  };
}

/** UTF-16 units of a value as JSON; none of an absent one. */
export const sizeOf = (value: unknown, limit: number): number =>
  value === undefined ? 0 : jsonSize(value as Json, limit);
