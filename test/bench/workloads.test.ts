/** The workloads of the benches are the same on each machine, and match as they say. */
import { describe, expect, test } from 'vitest';
import {
  changes,
  cliffWorkloads,
  flatWorkloads,
  parsedWorkloads,
  parseEvent,
  PATTERN_SET_SIZES,
  patternSetWorkload,
  payloadWorkloads,
  type ScalingWorkload,
  type Workload,
} from '../../bench/workloads/index.js';
import { compileRules } from '../../src/index.js';

const matchesOf = ({ rules, texts }: Workload): number[] => {
  const ruleSet = compileRules(rules);
  return texts.map((text) => ruleSet.evaluate(parseEvent(text)).matched.length);
};

/** One rule in ten thousand of it matches. */
const RARE = 'neq, few match';

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const families: readonly (readonly [string, readonly ScalingWorkload[]])[] = [
  ['flat', flatWorkloads],
  ['parsed', parsedWorkloads],
  ['payloads', payloadWorkloads],
];

describe('the workloads of the benches', () => {
  describe.for(families)('%s', ([, workloads]) => {
    test.for(workloads)(
      '$name: is the same each time, and some events match',
      { timeout: 60_000 },
      ({ name, make }) => {
        const size = { rules: 500, events: 120 };
        const workload = make(size);
        expect(workload.rules).toHaveLength(size.rules);
        expect(workload.texts).toHaveLength(size.events);
        expect(make(size)).toEqual(workload);
        if (name !== RARE) expect(sum(matchesOf(workload))).toBeGreaterThan(0);
      },
    );
  });

  test.for(parsedWorkloads.filter(({ name }) => ['eq', 'in', 'ends_with'].includes(name)))(
    '$name of parsed: as many rules match at a hundred rules as at two thousand',
    ({ make }) => {
      const [few, many] = [100, 2_000].map((rules) => sum(matchesOf(make({ rules, events: 400 }))));
      expect(many! / few!).toBeGreaterThan(0.8);
      expect(many! / few!).toBeLessThan(1.25);
    },
  );

  test('about one rule matches a payload of GitHub', { timeout: 60_000 }, () => {
    const eq = payloadWorkloads.find(({ name }) => name === 'eq')!;
    const matches = matchesOf(eq.make({ rules: 2_000, events: 1_000 }));
    expect(matches).toHaveLength(329);
    expect(sum(matches) / matches.length).toBeGreaterThan(0.5);
    expect(sum(matches) / matches.length).toBeLessThan(2);
  });

  test('the few rules of a cliff are among all of them', { timeout: 60_000 }, () => {
    const { rules, fewRules } = cliffWorkloads
      .find(({ name }) => name === 'a thousand bounds on one path')!
      .make(7);
    expect(fewRules).toHaveLength(7);
    expect(rules).toEqual(expect.arrayContaining([...fewRules]));
  });

  test('a change gives a rule the tree of another', () => {
    const { rules } = flatWorkloads[0]!.make({ rules: 50, events: 0 });
    for (const { nth, rule } of changes(rules, 20)) {
      expect({ ...rule, match: null }).toEqual({ ...rules[nth], match: null });
      expect(rules.map(({ match }) => match)).toContainEqual(rule.match);
    }
  });

  test('each event of a pattern set is matched by the first ten patterns, or by none of a thousand', () => {
    expect(Math.min(...matchesOf(patternSetWorkload('hits', PATTERN_SET_SIZES[0]!)))).toBeGreaterThan(0);
    expect(sum(matchesOf(patternSetWorkload('misses', PATTERN_SET_SIZES.at(-1)!)))).toBe(0);
  });
});
