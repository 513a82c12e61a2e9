/**
 * The leaves of match trees as closures over one member of a container.
 *
 * Most operators have a closure of their own here, which answers as their test in operators.ts does: a call less for each
 * leaf.
 */
import type { Json } from '../../json.js';
import type { PatternOptions } from '../../patterns/index.js';
import type { Account } from './account.js';
import { numberIn } from './numbers.js';
import { compileLeaf, type Test } from './operators.js';
import { child, owns, type Segment } from '../path.js';
import type { Container } from './reader.js';
import type { Leaf } from '../rule.js';
import { isStructure } from './structures.js';

/** Whether a part of a match tree holds on the container that its paths begin at; undecided counts as not. */
export type Holds = (container: Container, account: Account) => boolean;

/** Whether a leaf asks a pattern, which spends a budget. */
export const hasPattern = ({ op }: Leaf): boolean => op === 'matches' || op === 'not_matches';

/** Asks what a container itself has. */
export function askOwnMember(leaf: Leaf, segment: Segment, options: PatternOptions): Holds {
  if (leaf.op === 'missing') return missing(segment);
  if (hasPattern(leaf)) return askPattern(compileLeaf(leaf, options), segment);
  const holds = askMember(leaf, segment, options);
  return (container, account) => holds(container, account) && owns(container, segment);
}

/** Asks what a container itself has or, for every operator but `missing`, inherits. */
export function askMember(leaf: Leaf, segment: Segment, options: PatternOptions): Holds {
  if (leaf.op === 'missing') return missing(segment);
  return askDirectly(leaf, segment.key) ?? askTest(leaf, segment.key, compileLeaf(leaf, options));
}

const missing =
  (segment: Segment): Holds =>
  (container) =>
    child(container, segment) === undefined;

const askPattern =
  (test: Test, segment: Segment): Holds =>
  (container, account) => {
    const subject = child(container, segment);
    return subject !== undefined && test(subject, account) === true;
  };

/** The closure of a leaf that needs no test; `null` for any other. */
function askDirectly(leaf: Leaf, key: string): Holds | null {
  switch (leaf.op) {
    case 'exists':
      return (container) => container[key] !== undefined;
    case 'starts_with':
      return startingWith(key, leaf.value);
    case 'ends_with':
      return endingWith(key, leaf.value);
    case 'eq':
      return equalsOnlyItself(leaf.value) ? being(key, leaf.value) : null;
    case 'neq':
      return equalsOnlyItself(leaf.value) ? notBeing(key, leaf.value) : null;
    case 'in':
      return areComparedQuickly(leaf.value) ? oneOf(key, leaf.value) : null;
    case 'not_in':
      return areComparedQuickly(leaf.value) ? noneOf(key, leaf.value) : null;
    default:
      return null;
  }
}

/** The closure of a leaf that asks a test, unless both sides of a comparison are numbers. */
function askTest(leaf: Leaf, key: string, test: Test): Holds {
  switch (leaf.op) {
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (typeof leaf.value === 'number') return comparing[leaf.op](key, leaf.value, test);
  }
  return (container, account) => {
    const subject = container[key];
    return subject !== undefined && test(subject, account) === true;
  };
}

/** Whether `eq` finds a value equal to nothing but itself: it is no number, spells none, and is no structure. */
const equalsOnlyItself = (value: Json): boolean =>
  typeof value === 'string'
    ? numberIn(value) === undefined
    : typeof value !== 'number' && !isStructure(value);

/** Values up to which comparing one after the other beats a set. */
const FEW = 4;

const areComparedQuickly = (values: readonly Json[]): boolean =>
  values.length <= FEW && values.every(equalsOnlyItself);

const being =
  (key: string, value: Json): Holds =>
  (container) =>
    container[key] === value;

const notBeing =
  (key: string, value: Json): Holds =>
  (container) => {
    const subject = container[key];
    return subject !== undefined && subject !== value;
  };

const oneOf =
  (key: string, values: readonly Json[]): Holds =>
  (container) => {
    const subject = container[key];
    for (const value of values) {
      if (subject === value) return true;
    }
    return false;
  };

const noneOf =
  (key: string, values: readonly Json[]): Holds =>
  (container) => {
    const subject = container[key];
    if (subject === undefined) return false;
    for (const value of values) {
      if (subject === value) return false;
    }
    return true;
  };

const startingWith =
  (key: string, prefix: string): Holds =>
  (container) => {
    const subject = container[key];
    return typeof subject === 'string' && subject.startsWith(prefix);
  };

const endingWith =
  (key: string, suffix: string): Holds =>
  (container) => {
    const subject = container[key];
    return typeof subject === 'string' && subject.endsWith(suffix);
  };

type Comparing = (key: string, bound: number, test: Test) => Holds;

/** `gte` and `lte` are written as what they exclude: so the operators answer for NaN, which a host may hand in. */
const comparing: Readonly<Record<'gt' | 'gte' | 'lt' | 'lte', Comparing>> = {
  gt: (key, bound, test) => (container, account) => {
    const subject = container[key];
    if (typeof subject === 'number') return subject > bound;
    return subject !== undefined && test(subject, account) === true;
  },
  gte: (key, bound, test) => (container, account) => {
    const subject = container[key];
    if (typeof subject === 'number') return !(subject < bound);
    return subject !== undefined && test(subject, account) === true;
  },
  lt: (key, bound, test) => (container, account) => {
    const subject = container[key];
    if (typeof subject === 'number') return subject < bound;
    return subject !== undefined && test(subject, account) === true;
  },
  lte: (key, bound, test) => (container, account) => {
    const subject = container[key];
    if (typeof subject === 'number') return !(subject > bound);
    return subject !== undefined && test(subject, account) === true;
  },
};
