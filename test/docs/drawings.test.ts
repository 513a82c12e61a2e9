/** The drawings of docs/performance.md show what the index does: its words and its figures. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Match, Rule } from '../../src/index.js';
import { newProbe } from '../../src/rules/rule-index/index.js';
import {
  isCertainEntry,
  layOutPlan,
  offsetOfEntry,
  type IndexLayout,
} from '../../src/rules/rule-index/layout/index.js';
import { isIndex, planRules, type IndexPlan, type Key } from '../../src/rules/rule-index/plan/index.js';
import { withRe2js } from '../../src/default-engine.js';
import { compileProbed } from '../../src/rules/rule-set.js';
import { filesUnder } from '../files.js';

/** The texts of a drawing, in order. */
const textsOf = (drawing: string): readonly string[] =>
  Array.from(
    readFileSync(`docs/${drawing}`, 'utf8').matchAll(/<text[^>]*>([^<]*)<\/text>/g),
    ([, text = '']) => text.replaceAll('&lt;', '<'),
  );

const ofRule = textsOf('rule-plan.svg');
const ofEvent = textsOf('rule-index.svg');

const rule = (id: string, match: Match, priority = 1): Rule => ({
  id,
  name: id,
  stage: 'deliver',
  priority,
  match,
  action: { type: 'tag', tags: [id] },
});

const teams = ['amber', 'blue', 'coral', 'green', 'lime', 'pink', 'red', 'teal'];
const plans = ['basic', 'beta', 'demo', 'free', 'max', 'pro', 'team', 'trial'];

/** The rules of the page, in evaluation order. */
const rules = [
  ...teams.flatMap((team) =>
    plans.map((name) =>
      rule(`${team}-${name}`, {
        all: [
          { path: 'data.team', op: 'eq', value: team },
          { path: 'data.plan', op: 'eq', value: name },
          { path: 'data.status', op: 'neq', value: 'closed' },
        ],
      }),
    ),
  ),
  rule('tags', { path: 'data.ref', op: 'starts_with', value: 'refs/tags/' }, 2),
];

const plan = planRules(rules, {});
const layout = layOutPlan(plan, {});
const number = rules.findIndex(({ id }) => id === 'blue-pro');
const steps = plan.rules[number]!.steps;
const [status, pro, blue] = steps.map(({ leaf }) => leaf);
const onlyKey = (keys: readonly Key[] | null | undefined): Key => keys![0]!;
const innerPlan = plan.root.byKey.get(onlyKey(blue?.heldBy)) as IndexPlan;

describe('the drawing of a rule', () => {
  test('has its leaves and their keys', () => {
    expect(onlyKey(blue?.heldBy)).toMatchObject({ kind: 'value', sought: 'blue' });
    expect(onlyKey(pro?.heldBy)).toMatchObject({ kind: 'value', sought: 'pro' });
    expect(onlyKey(status?.refutedBy)).toMatchObject({ kind: 'value', sought: 'closed' });
    expect(status?.clauses).toEqual([]);
    expect(ofRule).toEqual(
      expect.arrayContaining([
        'heldBy: value blue',
        'heldBy: value pro',
        'refutedBy: value closed',
        'no clause',
      ]),
    );
  });

  test('has its weights and covers', () => {
    const cover = plan.root.members[number]?.cover;
    const inner = innerPlan.members.find((member) => member.rule === number)?.cover;
    expect(cover?.sufficient).toEqual([]);
    expect(cover?.necessary).toEqual([{ leaf: blue, keys: blue?.heldBy }]);
    expect(inner?.necessary).toEqual([{ leaf: pro, keys: pro?.heldBy }]);
    expect(ofRule).toContain(`weight: ${cover?.weight.toFixed(3)}`);
    expect(ofRule).toContain(`8 / (64 + 4) = ${cover?.weight.toFixed(3)}`);
    expect(ofRule).toContain(`1 / (8 + 4) = ${inner?.weight.toFixed(3)}`);
  });

  test('has its postings', () => {
    const posted = innerPlan.byKey.get(onlyKey(pro?.heldBy))!;
    expect(isIndex(plan.root.byKey.get(onlyKey(blue?.heldBy))!)).toBe(true);
    expect(posted).toMatchObject([{ isExact: true, isCertain: false }]);
    expect(ofRule).toContain(`IndexPlan of ${innerPlan.members.length} members`);
    expect(ofRule).toContain('isExact, not isCertain');
  });

  test('has its record, and the numbers of its keys', () => {
    const { records } = layout;
    const offset = Array.from({ length: records.blocks }, (_, block) => block).find(
      (block) => block > 0 && records.ruleAt(block) === number && records.actionAt(block) === number,
    )!;
    const first = records.firstStep(offset);
    const second = records.next(first, true);
    const third = records.next(second, true);
    const [ofBlue, ofPro, ofClosed] = [first, second, third].map((step) => records.firstKey(step));
    expect(ofRule).toContain(`rule ${number}, action ${number}`);
    expect(ofRule).toContain(`65 << 1 | 0 = ${offset * 2}`);
    expect(ofRule.filter((text) => text.startsWith('at '))).toEqual([
      `at ${ofClosed}`,
      `at ${ofBlue}`,
      `at ${ofPro}`,
    ]);
    expect(ofRule.filter((text) => text.startsWith('key '))).toEqual(
      [ofBlue, ofPro, ofClosed].map((key) => `key ${key}`),
    );
  });
});

describe('the drawing of an event', () => {
  const data = { team: 'blue', plan: 'pro', status: 'open', ref: 'refs/tags/v2' };

  test('has the work that the event takes, and the rules that match', () => {
    const probe = newProbe();
    const { matched } = compileProbed(rules, withRe2js({}), probe).evaluate({
      id: 'evt_1',
      type: 'webhook.received',
      data,
    });
    expect(matched.map(({ id }) => id)).toEqual(['blue-pro', 'tags']);
    expect(probe).toMatchObject({ keys: 3, entries: 2, tried: 1 });
    expect(ofEvent).toEqual(expect.arrayContaining(['value blue', 'value pro', 'prefix refs/tags/', 'tags']));
  });

  test('has the entries that the keys lead to', () => {
    const { postings, keyCount } = layout;
    const atRoot = Array.from({ length: keyCount }, (_, key) => postings.of(key)).filter(
      (posting) => posting !== -1,
    );
    const inner = atRoot.map((posting) => postings.innerOf(posting)).filter((index) => index !== null);
    const ofBlue = inner.find(({ posted }) => [...posted.values()].includes(130)) as IndexLayout;
    const [certain] = atRoot.filter((posting) => posting >= 0) as [number];
    expect(ofBlue.posted.size).toBe(8);
    expect(ofEvent).toContain(`8 keys; 3 were found`);
    expect(ofEvent).toContain('entry 130');
    expect(ofEvent).toContain(`offset ${offsetOfEntry(130)}`);
    expect(isCertainEntry(130)).toBe(false);
    expect(ofEvent).toContain(`entry ${certain}`);
    expect(ofEvent).toContain(`offset ${offsetOfEntry(certain)}, certain`);
    expect(isCertainEntry(certain)).toBe(true);
  });
});

test('the names in the drawings are names of the code', () => {
  const code = filesUnder('src/rules/rule-index')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const names = [...ofRule, ...ofEvent].join(' ').match(/\b[A-Za-z]+[a-z][A-Z][A-Za-z]*\b/g) ?? [];
  expect(names).toEqual(
    expect.arrayContaining(['heldBy', 'IndexPlan', 'EventValues', 'FoundKeys', 'IndexLayout']),
  );
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});
