/** Everything that was ever found, before anything is looked for. */
import { describe, expect, test } from 'vitest';
import { compileRules, type Rule } from '../../src/index.js';
import { compileReferenceRules } from '../../src/testing/index.js';
import { expectSameSets } from './rule-index/same.js';
import { optionsOf, regressions } from './regressions.js';

const ids = (rules: readonly Rule[]): string => rules.map(({ id }) => id).join(' ');

describe.for([
  { evaluator: 'with an index', compile: compileRules },
  { evaluator: 'plainly', compile: compileReferenceRules },
])('$evaluator', ({ compile }) => {
  test.for(regressions)('$name', (regression) => {
    const { rules, events, limits } = regression;
    const set = compile(rules, optionsOf(regression));
    const decisions = events.map(([event]) => set.evaluate(event));
    expect(decisions.map(({ matched }) => ids(matched))).toEqual(events.map(([, matched]) => matched));
    const met = decisions.map((decision) => ids(decision.limits.map(({ rule }) => rule)));
    expect(met).toEqual(limits ?? events.map(() => ''));
  });
});

test.for(regressions)('and alike, whatever came before: $name', (regression) => {
  const { rules, events } = regression;
  const options = optionsOf(regression);
  expectSameSets(
    compileRules(rules, options),
    compileReferenceRules(rules, options),
    events.map(([event]) => event),
  );
});

test('all rules of all regressions at once decide alike', () => {
  const rules = regressions.flatMap(({ rules }, i) =>
    rules.map((rule) => ({ ...rule, id: `${rule.id} of ${i}` })),
  );
  const events = regressions.flatMap(({ events }) => events.map(([event]) => event));
  expectSameSets(compileRules(rules), compileReferenceRules(rules), events);
});
