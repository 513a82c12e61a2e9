/**
 * The leaves of match trees as closures over one member of a container.
 *
 * Most demands of operators have a closure of their own here, which answers as the operator's test does: a call less
 * for each leaf.
 */
import type { Json } from '../../json.js';
import type { PatternOptions } from '../../patterns/index.js';
import { demandOf, holdsIfAbsent, isNegated, type Test } from '../operators/index.js';
import { child, owns, type Path, type Segment } from '../path.js';
import type { Leaf } from '../rule.js';
import { isStructure, numberIn, type Account } from '../values/index.js';
import { compileLeaf, compileStarred } from './leaf.js';
import type { Container } from './reader.js';

/** Whether a part of a match tree holds on the container that its paths begin at; undecided counts as not. */
export type Holds = (container: Container, account: Account) => boolean;

/** Whether a leaf asks a pattern, which spends a budget. */
export const hasPattern = (leaf: Leaf): boolean => demandOf(leaf).kind === 'pattern';

/** Asks what a container itself has. */
export function askOwnMember(leaf: Leaf, segment: Segment, options: PatternOptions): Holds {
  if (holdsIfAbsent(leaf)) return missing(segment);
  if (hasPattern(leaf)) return askPattern(compileLeaf(leaf, options), segment);
  const holds = askMember(leaf, segment, options);
  return (container, account) => holds(container, account) && owns(container, segment);
}

/** Asks what a container itself has or, unless it holds for what is absent, inherits. */
export function askMember(leaf: Leaf, segment: Segment, options: PatternOptions): Holds {
  if (holdsIfAbsent(leaf)) return missing(segment);
  return askDirectly(leaf, segment.key) ?? askTest(segment.key, compileLeaf(leaf, options));
}

/** Asks the elements of a container, if it is an array, and what lies below them. */
export function askElements(leaf: Leaf, rest: Path, options: PatternOptions): Holds {
  const test = compileStarred(leaf, rest, options);
  const ifAbsent = holdsIfAbsent(leaf);
  return (container, account) => (Array.isArray(container) ? test(container, account) === true : ifAbsent);
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
  const demand = demandOf(leaf);
  switch (demand.kind) {
    case 'presence':
      return (container) => container[key] !== undefined;
    case 'affix':
      if (isNegated(leaf)) return null;
      return demand.end === 'start' ? startingWith(key, demand.text) : endingWith(key, demand.text);
    case 'equals': {
      const { values } = demand;
      if (values.length > FEW || !values.every(equalsOnlyItself)) return null;
      const [only, ...others] = values;
      if (only === undefined || others.length > 0) return (isNegated(leaf) ? noneOf : oneOf)(key, values);
      return (isNegated(leaf) ? notBeing : being)(key, only);
    }
    default:
      return null;
  }
}

/** The closure of a leaf that asks a test. */
const askTest =
  (key: string, test: Test): Holds =>
  (container, account) => {
    const subject = container[key];
    return subject !== undefined && test(subject, account) === true;
  };

/**
 * Whether `eq` finds a value equal to nothing but itself: it neither is nor spells a number, and it is not a structure.
 */
const equalsOnlyItself = (value: Json): boolean =>
  typeof value === 'string'
    ? numberIn(value) === undefined
    : typeof value !== 'number' && !isStructure(value);

/** Values up to which comparing one after the other beats a set. */
const FEW = 4;

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
