/** Warnings of lint are true of every event: random rules, each claim settled by an event that answers it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRules, lintRules, type LintCode } from '../../../src/index.js';
import { createArbitraries } from '../../../src/testing/arbitraries/index.js';
import * as arbitrary from '../arbitraries.js';
import * as oracle from '../oracle.js';

test('what it warns of is so', () => {
  const { encounter } = createArbitraries(fc);
  let warnings = 0;
  fc.assert(
    fc.property(encounter({ maxRules: 6 }), ({ rules, events }) => {
      const found = lintRules(rules);
      warnings += found.length;
      for (const event of events) {
        const { matched } = compileRules(rules).evaluate(event);
        for (const { code, rule } of found) {
          if (code === 'never_matches') expect(oracle.matches(rule.match, event)).toBe(false);
          if (code === 'behind_drop') expect(matched).not.toContain(rule);
          if (code === 'drops_everything') expect(oracle.matches(rule.match, event)).toBe(true);
          if (code === 'always_tried') expect(rule.enabled).not.toBe(false);
        }
      }
    }),
    { numRuns: 1_500 },
  );
  expect(warnings).toBeGreaterThan(500);
});

test('a rule that can match is always tried where the index says so', () => {
  fc.assert(
    fc.property(arbitrary.rules(), (rules) => {
      const found = lintRules(rules);
      const which = (code: LintCode): string[] =>
        found.filter((one) => one.code === code).map(({ rule }) => rule.id);
      const always = compileRules(rules)
        .describe()
        .filter(({ tried }) => tried === 'always')
        .map(({ rule }) => rule.id);
      const worse = [...which('never_matches'), ...which('drops_everything')];
      expect(which('always_tried')).toEqual(always.filter((id) => !worse.includes(id)));
    }),
    { numRuns: 500 },
  );
});
