/** What must hold of what a set tells about its index. */
import assert from 'node:assert/strict';
import type fc from 'fast-check';
import { compileMatch, compileRules, type Event, type Rule } from '../../../src/index.js';
import { compileReferenceRules } from '../../../src/testing/index.js';
import * as arbitrary from '../arbitraries.js';
import { crowd, grid } from './crowds.js';
import { law, type Law } from './law.js';

/** Wherever a rule matches, there is what it says that it is found by, unless it is always tried. */
function expectFound([rules, events]: readonly [readonly Rule[], readonly Event[]]): void {
  const set = compileRules(rules);
  const described = set.describe();
  assert.deepEqual(described.length, set.rules.length);
  for (const [i, { rule, tried, by }] of described.entries()) {
    assert.equal(rule, set.rules[i]);
    if (tried === 'always') assert.deepEqual(by, []);
    const plain = compileReferenceRules([rule]);
    for (const event of events) {
      if (tried === 'always' || plain.evaluate(event).matched.length === 0) continue;
      const isThere = by.some(({ leaves }) => compileMatch({ all: leaves })(event));
      assert.ok(isThere, `${rule.id} matches and nothing finds it: ${JSON.stringify(by)}`);
    }
  }
}

const of = (
  name: string,
  runs: number,
  cases: fc.Arbitrary<readonly [readonly Rule[], readonly Event[]]>,
): Law => law(name, runs, cases, expectFound);

export const describeLaws: readonly Law[] = [
  of('tells what each rule is found by', 600, arbitrary.encounter(8)),
  of('tells what each of many rules is found by', 40, crowd(20, 80)),
  of('tells what rules on a grid are found by', 20, grid(30, 80)),
];
