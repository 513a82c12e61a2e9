/** Keys of `matches`: the patterns of one path, matched together as a set. */
import { compilePatternSet, type Pattern, type PatternSet } from '../../../patterns/index.js';
import type { PatternKey } from '../plan/index.js';
import type { KeyNumbers } from './key-numbers.js';

/** A pattern of the set. */
export interface KeyedPattern {
  readonly pattern: Pattern;
  /** The number of its key. */
  readonly number: number;
  /** The burden of the least burdened rule that has the pattern; 0 for a pattern that costs nothing. */
  readonly burden: number;
}

/** The patterns of one path. Immutable. */
export class Patterns {
  readonly all: readonly KeyedPattern[];
  readonly set: PatternSet;
  /** The greatest burden of a pattern. */
  readonly burden: number;

  /**
   * @param patterns - At least one.
   * @param burdenOf - The burden of the least burdened rule that has a pattern.
   */
  constructor(
    patterns: readonly PatternKey[],
    burdenOf: (key: PatternKey['key']) => number,
    numbers: KeyNumbers,
  ) {
    const first = numbers.add(patterns.map(({ key }) => key));
    this.all = patterns.map(({ pattern, key }, nth) => ({
      pattern,
      number: first + nth,
      burden: burdenOf(key),
    }));
    this.set = compilePatternSet(patterns.map(({ pattern }) => pattern));
    this.burden = this.all.reduce((most, { burden }) => Math.max(most, burden), 0);
  }

  /** The number of the key of a pattern, by its index in the set. */
  keyOf(index: number): number {
    return (this.all[index] as KeyedPattern).number;
  }
}
