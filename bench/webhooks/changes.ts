/** Changes of one rule at a time, as a service makes them while it runs. */
import type { Rule } from '../../src/index.js';
import type { Random } from './random.js';

/** A rule, and its index among the rules. */
export interface Change {
  readonly nth: number;
  readonly rule: Rule;
}

/** `count` changes, each of which gives one rule the tree of another. */
export const changesOf = (random: Random, rules: readonly Rule[], count: number): Change[] =>
  random.times(count, () => {
    const nth = random.int(rules.length);
    return { nth, rule: { ...rules[nth]!, match: random.pick(rules).match } };
  });
