/** Laws of the description of a set: how its index finds each rule. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compileMatch,
  compileRules,
  type AccessPath,
  type Event,
  type IndexAccess,
  type Leaf,
  type Rule,
} from '../../../src/index.js';
import { aimed } from '../../../src/testing/aim/aim.js';
import { compileReferenceRules } from '../../../src/testing/index.js';
import * as arbitrary from '../arbitraries.js';
import { crowd, grid } from './crowds.js';
import { law, type Law } from './law.js';
import { intervals, texts } from './one-path.js';

/** Rules, and events for them. */
export type Cases = fc.Arbitrary<readonly [readonly Rule[], readonly Event[]]>;

/** An access that is described as certain, and all leaves that lead there: those of the indexes around it first. */
export interface CertainAccess {
  readonly access: AccessPath;
  readonly leaves: readonly Leaf[];
}

/** The certain accesses of an index and of those within it. */
export const certainAccesses = (index: IndexAccess, before: readonly Leaf[] = []): readonly CertainAccess[] =>
  index.by.flatMap((access) => {
    const leaves = [...before, ...access.leaves];
    const inner = access.inner.flatMap((one) => certainAccesses(one, leaves));
    return access.isCertain ? [{ access, leaves }, ...inner] : inner;
  });

const holds = (leaves: readonly Leaf[], event: Event): boolean => compileMatch({ all: leaves })(event);

/** Whether an index finds a rule in an event, and each inner index on the way does, too. */
const isFound = ({ tried, by }: IndexAccess, event: Event): boolean =>
  tried === 'always' ||
  by.some(({ leaves, inner }) => holds(leaves, event) && inner.every((index) => isFound(index, event)));

/** A rule that matches an event is found by what is described, on every level. */
function expectFound([rules, events]: readonly [readonly Rule[], readonly Event[]]): void {
  const set = compileRules(rules);
  const described = set.describe();
  assert.deepEqual(
    described.map(({ rule }) => rule),
    set.rules,
  );
  for (const access of described) {
    if (access.tried === 'always') assert.deepEqual(access.by, []);
    const plain = compileReferenceRules([access.rule]);
    for (const event of events) {
      if (plain.evaluate(event).matched.length === 0) continue;
      assert.ok(
        isFound(access, event),
        `${access.rule.id} matches and nothing finds it: ${JSON.stringify(access)}`,
      );
    }
  }
}

/** A rule matches every event that has the leaves of a certain access: those given, and one aimed at these leaves. */
function expectCertain([rules, events]: readonly [readonly Rule[], readonly Event[]]): void {
  for (const access of compileRules(rules).describe()) {
    const matches = compileMatch(access.rule.match);
    for (const { leaves } of certainAccesses(access)) {
      const target = arbitrary.ruleOf({ all: [...leaves] }, { id: 'target' });
      const aimedAtLeaves = events.map((event) => aimed([target], event, [0, 0, 0, 0]));
      for (const event of [...events, ...aimedAtLeaves]) {
        if (!holds(leaves, event)) continue;
        assert.ok(
          matches(event),
          `${access.rule.id} does not match where these hold: ${JSON.stringify(leaves)}`,
        );
      }
    }
  }
}

/** A small change is a layer of its own; the rules that stay are described as before. */
function expectLayers([rules, put]: readonly [readonly Rule[], readonly Rule[]]): void {
  const before = compileRules(rules);
  const after = before.update({ put });
  const known = new Map(before.describe().map((access) => [access.rule, access]));
  const described = after.describe();
  assert.deepEqual(
    described.map(({ rule }) => rule),
    after.rules,
  );
  for (const access of described) {
    if (access.layer === 0) assert.deepEqual(access, known.get(access.rule));
    else assert.ok(access.layer === 1 && put.some(({ id }) => id === access.rule.id));
  }
  const isNew = ({ rule }: { readonly rule: Rule }): boolean => !known.has(rule);
  assert.ok(described.filter(isNew).every(({ layer }) => layer === 1));
}

const found = (name: string, runs: number, cases: Cases): Law => law(name, runs, cases, expectFound);
const certain = (name: string, runs: number, cases: Cases): Law => law(name, runs, cases, expectCertain);

export const describeLaws: readonly Law[] = [
  found('tells what each rule is found by', 600, arbitrary.encounter(8)),
  found('tells what each of many rules is found by', 40, crowd(20, 80)),
  found('tells what rules on a grid are found by', 20, grid(30, 80)),
  certain('calls certain only what makes a rule match', 600, arbitrary.encounter(8)),
  certain('calls certain only what makes one of many rules match', 40, crowd(20, 80)),
  certain('calls certain only what makes a rule on a grid match', 20, grid(30, 80)),
  certain('calls a range certain only where its bounds tell all', 200, intervals),
  certain('calls a text certain only where it tells all', 40, texts),
  law(
    'tells the layer of each rule after a change',
    40,
    fc.tuple(crowd(40, 120), crowd(1, 4)).map(([[rules], [put]]) => [rules, put] as const),
    expectLayers,
  ),
];
