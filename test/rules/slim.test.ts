/** `headgate/slim`: everything without an engine, and a refusal where one is needed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as whole from '../../src/index.js';
import { needsEngine } from '../../src/patterns/index.js';
import * as slim from '../../src/slim/index.js';
import { re2js } from '../../src/patterns/re2js/index.js';
import { createArbitraries } from '../../src/testing/index.js';

const rule = (match: whole.Match, action: whole.Action = { type: 'drop' }): whole.Rule => ({
  ...{ id: 'a', name: 'a', stage: 'deliver', priority: 1 },
  ...{ match, action },
});
const matching = (value: string): whole.Match => ({ path: 'data.a', op: 'matches', value });
const redacting = (regex: string, replace = '***'): whole.TransformOp => ({
  ...{ op: 'redact', path: 'data.a', regex, replace },
});
const transform = (...ops: whole.TransformOp[]): whole.Action => ({ type: 'transform', ops });
const event = (a: string) => ({ id: 'evt_1', type: 'ping', data: { a } });

/** Too large for an automaton of one word. */
const LARGE = '[a-z]{40}';

describe('patterns that need no engine', () => {
  test.for([
    {
      pattern: 'sk_[a-z]+',
      test: false,
      replace: true,
      because: 'it fits an automaton, which finds no positions',
    },
    { pattern: 'foo|bar', test: false, replace: false, because: 'it is a list of texts' },
    { pattern: '^foo$', test: false, replace: false, because: 'it is one text, anchored' },
    { pattern: '\\pL', test: true, replace: true, because: 'only an engine knows properties' },
    { pattern: LARGE, test: true, replace: true, because: 'it is large' },
  ])('$pattern needs one to test: $test, to replace: $replace, since $because', (row) => {
    expect(needsEngine(row.pattern, { kind: 'test' })).toBe(row.test);
    expect(needsEngine(row.pattern, { kind: 'replace', template: '-' })).toBe(row.replace);
  });

  test('a template that names a group needs one', () => {
    expect(needsEngine('(foo)', { kind: 'replace', template: '-' })).toBe(false);
    expect(needsEngine('(foo)', { kind: 'replace', template: '$1' })).toBe(true);
  });

  test('decide as in headgate', () => {
    const rules = [
      rule({ any: [matching('sk_[a-z]+'), matching('foo|bar')] }, transform(redacting('foo|bar'))),
    ];
    for (const text of ['sk_a', 'a foo', 'none', 'bar']) {
      expect(slim.compileRules(rules).evaluate(event(text))).toEqual(
        whole.compileRules(rules).evaluate(event(text)),
      );
    }
  });

  test('are all that a compiled rule set runs: what is not refused never asks an engine', () => {
    const { encounter } = createArbitraries(fc);
    let run = 0;
    fc.assert(
      fc.property(encounter(), ({ rules, events }) => {
        const kept = rules.filter((one) => isTaken(one));
        run += kept.length;
        const [without, withEngine] = [slim.compileRules(kept), whole.compileRules(kept)];
        for (const one of events) expect(without.evaluate(one)).toEqual(withEngine.evaluate(one));
      }),
    );
    expect(run).toBeGreaterThan(100);
  });
});

const isTaken = (one: whole.Rule): boolean => issuesOf(() => slim.compileRules([one])).length === 0;

/** The issues for which a call is refused, each as code and pointer. */
function issuesOf(call: () => unknown): readonly string[] {
  try {
    call();
    return [];
  } catch (error) {
    if (!(error instanceof slim.RuleError)) throw error;
    return error.issues.map(({ code, pointer }) => `${code} ${pointer}`);
  }
}

const hard = rule(
  { all: [matching('a'), { any: [matching(LARGE)] }] },
  transform(redacting('a'), redacting('[ab]+')),
);
const issues = ['needs_engine /match/all/1/any/0/value', 'needs_engine /action/ops/1/regex'];

describe('a pattern that needs an engine', () => {
  const calls: Readonly<Record<string, (options: slim.RuleOptions) => unknown>> = {
    compileRules: (options) => slim.compileRules([hard], options),
    update: (options) => slim.compileRules([], options).update({ put: [hard] }),
    lintRules: (options) => slim.lintRules([hard], options),
  };

  test.for(Object.entries(calls))('is refused by %s, each with its pointer, before any event', ([, call]) => {
    expect(issuesOf(() => call({}))).toEqual(issues);
    expect(issuesOf(() => call({ patterns: { engine: re2js } }))).toEqual([]);
  });

  test('is refused in a tree, in ops and in a dry-run', async () => {
    expect(issuesOf(() => slim.compileMatch(hard.match))).toEqual(['needs_engine /all/1/any/0/value']);
    expect(issuesOf(() => slim.findEvent(hard.match))).toEqual(['needs_engine /all/1/any/0/value']);
    expect(issuesOf(() => slim.explainMatch(hard.match, {}))).toEqual(['needs_engine /all/1/any/0/value']);
    expect(issuesOf(() => slim.compileTransform([redacting(LARGE)]))).toEqual(['needs_engine /0/regex']);
    await expect(slim.dryRun(hard, [], { windowHours: 1 })).rejects.toMatchObject({
      issues: [{ code: 'needs_engine' }, { code: 'needs_engine' }],
    });
  });

  test('says which rule of a list it is in', () => {
    const id = { index: 1, ruleId: 'b' };
    const rules = [rule(matching('a')), { ...rule(matching(LARGE)), id: 'b' }];
    expect(() => slim.compileRules(rules)).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining(id)] }),
    );
  });

  test('is valid all the same: another process may have an engine', () => {
    expect(slim.validateRule(hard).ok).toBe(true);
    expect(slim.exportRules([hard])).toHaveLength(1);
  });
});

test('slim has the names of headgate', () => {
  expect(Object.keys(slim).sort()).toEqual(Object.keys(whole).sort());
});
