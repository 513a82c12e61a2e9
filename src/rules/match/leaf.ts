/** Leaves as tests of values. */
import { compilePattern, type PatternOptions } from '../../patterns/index.js';
import { definitionOf, isNegated, type Leaf, type Test } from '../operators/index.js';

/** The question that a leaf asks of a value that is present. */
export function compileLeaf(leaf: Leaf, options: PatternOptions): Test {
  const test = definitionOf(leaf).test(leaf.value, (source) => compilePattern(source, options));
  return isNegated(leaf) ? not(test) : test;
}

/** The inverse; what is undecided stays so. */
const not =
  (test: Test): Test =>
  (subject, account) => {
    const held = test(subject, account);
    return held === undefined ? undefined : !held;
  };
