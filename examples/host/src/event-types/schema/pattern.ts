/** Patterns of schemas, run by the engine that runs those of rules: linear time, within a budget. */
import { compileRules, type Rule } from 'headgate';
import { TooMuchWork, type Work } from './work.js';

/** Work of one test of one pattern, as the package counts it: a tenth of a second. */
const BUDGET = 10_000_000;
/** No pattern that may be saved costs more. */
const MAX_COST = 1_200;

/** An object that replaces a regular expression in compiled schemas. */
interface Tester {
  test(text: string): boolean;
  /** ajv takes testers with the same text for the same pattern. */
  toString(): string;
}

/** @throws RuleError for a pattern that may not be saved. */
export function patternTester(pattern: string, work: Work): Tester {
  const rule: Rule = {
    ...({ id: 'p', name: 'p', stage: 'deliver', priority: 0 } as const),
    match: { path: 'data.text', op: 'matches', value: pattern },
    action: { type: 'tag', tags: ['found'] },
  };
  const rules = compileRules([rule], { patterns: { budget: BUDGET } });
  const cost = costOf(pattern);
  return {
    test(text) {
      work.spend(1 + cost * text.length);
      const { matched, limits } = rules.evaluate({ id: 'e', type: 't', data: { text } });
      if (limits.length > 0) throw new TooMuchWork('a pattern met its budget');
      return matched.length > 0;
    },
    toString: () => pattern,
  };
}

/** Roughly what one character costs: the length of the pattern with its repetitions written out. */
function costOf(pattern: string): number {
  if (/\\p/i.test(pattern)) return MAX_COST;
  const repeats = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) =>
    Math.max(1, Number(most === undefined || most === '' ? least : most)),
  );
  const isNested = pattern.includes('){');
  const total = isNested
    ? pattern.length * repeats.reduce((product, one) => product * one, 1)
    : repeats.reduce((sum, one) => sum + one, pattern.length);
  return Math.min(MAX_COST, total);
}
