/** Leaves as tests of values. */
import { charge, compilePattern, type PatternOptions } from '../../patterns/index.js';
import {
  definitionOf,
  demandOf,
  holdsIfAbsent,
  isNegated,
  type Leaf,
  type Test,
} from '../operators/index.js';
import type { Path } from '../path.js';
import type { Account, ManyValues } from '../values/index.js';

/** The question that a leaf asks of a value that is present. */
export function compileLeaf(leaf: Leaf, options: PatternOptions): Test {
  const test = testOf(leaf, options);
  return isNegated(leaf) ? not(test) : test;
}

/** The question of a leaf's operator, or of the one that it negates. */
export const testOf = (leaf: Leaf, options: PatternOptions): Test =>
  definitionOf(leaf).test(leaf.value, (source) => compilePattern(source, options));

/** The question that a leaf with stars in its path asks of the array at the first of them. */
export function compileStarred(leaf: Leaf, rest: Path, options: PatternOptions): Test {
  const test = compileMany(leaf, options);
  return (array, account) => {
    return test(valuesBelow(array as readonly unknown[], rest, account), account);
  };
}

/** The values at a path below the elements of an array. */
export function valuesBelow(array: readonly unknown[], rest: Path, account: Account): ManyValues {
  let values = account.subjects.elementsIn(array);
  for (const segment of rest) values = values.below(segment);
  return values;
}

/** The question that a leaf with stars in its path asks of all the values there. */
export function compileMany(
  leaf: Leaf,
  options: PatternOptions,
): (values: ManyValues, account: Account) => boolean | undefined {
  const some = compileSome(leaf, options);
  const [ifAbsent, negated] = [holdsIfAbsent(leaf), isNegated(leaf)];
  return (values, account) => {
    if (values.all.length === 0) return ifAbsent;
    const held = some(values, account);
    return negated && held !== undefined ? !held : held;
  };
}

/** Whether the operator of a leaf, or the one that it negates, holds for some value. */
function compileSome(
  leaf: Leaf,
  options: PatternOptions,
): (values: ManyValues, account: Account) => boolean | undefined {
  const test = testOf(leaf, options);
  const demand = demandOf(leaf);
  switch (demand.kind) {
    case 'presence':
      return () => true;
    case 'equals':
      return (values, account) =>
        values.isCheap ? anyOf(values.all, test, account) : values.hasEqual(demand.values);
    case 'contains':
      return (values, account) =>
        values.isCheap ? anyOf(values.all, test, account) : values.hasContaining(demand.value, account.texts);
    case 'affix':
      return (values, account) =>
        values.isCheap ? anyOf(values.all, test, account) : values.hasAffix(demand.end, demand.text);
    case 'bound':
      return (values, account) => anyOf(values.isCheap ? values.all : values.extremes, test, account);
    case 'pattern':
      // Patterns that cost nothing would be tried on any number of values.
      return (values, account) =>
        charge(account, values.all.length) ? anyOf(values.all, test, account) : undefined;
    case 'other':
      return (values, account) => anyOf(values.all, test, account);
  }
}

/** Whether a test holds for some value; `undefined` if it holds for none, and was undecided for one. */
function anyOf(values: readonly unknown[], test: Test, account: Account): boolean | undefined {
  let isUndecided = false;
  for (const value of values) {
    const held = test(value, account);
    if (held === true) return true;
    isUndecided ||= held === undefined;
  }
  return isUndecided ? undefined : false;
}

/** The inverse; what is undecided stays so. */
const not =
  (test: Test): Test =>
  (subject, account) => {
    const held = test(subject, account);
    return held === undefined ? undefined : !held;
  };
