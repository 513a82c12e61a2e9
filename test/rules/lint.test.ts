import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileMatch,
  lint,
  RuleError,
  type Json,
  type Leaf,
  type LintCode,
  type Match,
  type Rule,
} from '../../src/index.js';
import * as arbitrary from './arbitraries.js';

const rule = (match: Match, more: Partial<Rule> = {}): Rule => ({
  id: 'r',
  name: 'r',
  stage: 'deliver',
  match,
  action: { type: 'tag', tags: ['seen'] },
  priority: 0,
  ...more,
});
const drop = (match: Match, more: Partial<Rule> = {}): Rule =>
  rule(match, { id: 'drop', name: 'drop', action: { type: 'drop' }, priority: -1, ...more });

const codes = (...rules: Rule[]): LintCode[] => lint(rules).map(({ code }) => code);

/** `data.a eq 5` as a leaf; the value is JSON. */
function leaf(text: string): Leaf {
  const [path, op, ...value] = text.split(' ');
  return { path, op, ...(value.length > 0 && { value: JSON.parse(value.join(' ')) as Json }) } as Leaf;
}
const all = (...texts: string[]): Match => ({ all: texts.map(leaf) });
const any = (...texts: string[]): Match => ({ any: texts.map(leaf) });

describe('no event matches', () => {
  test.for([
    ['a eq 5', 'a eq 6'],
    ['a eq 5', 'a eq "6"'],
    ['a eq 5', 'a neq "5"', 'a neq 5'],
    ['a eq 5', 'a neq 5.0'],
    ['a eq null', 'a exists', 'a missing'],
    ['a eq "x"', 'a in ["y", "z"]'],
    ['a in ["x", 1]', 'a in ["y", 2]'],
    ['a in []'],
    ['a in [1, 2]', 'a not_in [2, 1]'],
    ['a gt 5', 'a lt 5'],
    ['a gt 5', 'a lte 5'],
    ['a gte 5', 'a lte 5', 'a neq 5'],
    ['a gt 5', 'a lt 9', 'a gt 9'],
    ['a gt "m"', 'a lt "b"'],
    ['a gte "2026-02-01"', 'a lt "2026-01-01"'],
    ['a gt 5', 'a eq "five"'],
    ['a gt 5', 'a eq 5'],
    ['a lt ""'],
    ['a gt 5', 'a starts_with "x"'],
    ['a eq "abc"', 'a starts_with "b"'],
    ['a eq "abc"', 'a ends_with "b"'],
    ['a eq "abc"', 'a contains "x"'],
    ['a eq "abc"', 'a not_contains "b"'],
    ['a eq "abc"', 'a matches "^b"'],
    ['a eq "abc"', 'a not_matches "^a"'],
    ['a eq 5', 'a starts_with "x"'],
    ['a eq [1, 2]', 'a contains 3'],
    ['a eq true', 'a starts_with ""'],
    ['a starts_with "ab"', 'a starts_with "b"'],
    ['a ends_with "ab"', 'a ends_with "a"'],
    ['a starts_with "b"', 'a lt "a"'],
    ['a starts_with "b"', 'a gt "c"'],
    ['a contains "ab"', 'a starts_with "x"', 'a not_contains "b"', 'a gt "0"'],
    ['a matches "x+"', 'a not_matches "x+"'],
    ['a contains 5', 'a not_contains 5'],
    ['a contains 5', 'a starts_with "5"'],
    ['a exists', 'a missing'],
    ['a missing', 'a neq 5'],
    ['a missing', 'a.b eq 5'],
    ['a eq 5', 'a.b exists'],
    ['a starts_with "x"', 'a.b.c exists'],
    ['a contains 1', 'a.b exists'],
    ['a eq {"b": 1}', 'a.b eq 2'],
    ['a eq {"b": 1}', 'a.c exists'],
    ['a eq {"b": 1}', 'a.b missing'],
    ['a\\.b eq 1', 'a\\.b eq 2'],
  ])('%s', (texts) => {
    const [warning, ...more] = lint([rule(all(...texts))]);
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ code: 'never_matches', pointer: '/match', rule: { id: 'r' } });
    expect(codes(rule(all(...texts.toReversed())))).toEqual(['never_matches']);
    expect(codes(rule({ any: [leaf('z eq 1'), all(...texts)] }))[0]).toBe('dead_branch');
  });
});

describe('some event matches', () => {
  test.for([
    ['a eq 5', 'a eq "5.0"'],
    ['a eq "5"', 'a eq "5.0"'],
    ['a eq "5.0"', 'a gt 4'],
    ['a eq 5', 'a starts_with "5."'],
    ['a gt 5', 'a lt "m"'],
    ['a gt "5"', 'a lt "a"'],
    ['a contains 5', 'a contains "5"'],
    ['a contains "x"', 'a.0 eq "x"'],
    ['a.0 exists', 'a.b exists'],
    ['a missing', 'a.b missing'],
    ['a starts_with "\ud83d"', 'a gt "\ue000"'],
  ])('%s', (texts) => {
    expect(codes(rule(all(...texts)))).not.toContain('never_matches');
  });
});

describe('behind a drop', () => {
  test.for<[string, Match, Match]>([
    ['the same leaf', leaf('a eq "x"'), leaf('a eq "x"')],
    ['more leaves', leaf('a eq "x"'), all('b exists', 'a eq "x"')],
    ['gt', leaf('a gt 3'), leaf('a gt 5')],
    ['eq in a range', all('a gt 3', 'a lte 9'), leaf('a eq "5"')],
    ['a longer prefix', leaf('a starts_with "ab"'), leaf('a starts_with "abc"')],
    ['eq, and a prefix of it', leaf('a starts_with "ab"'), leaf('a eq "abc"')],
    ['a pattern', leaf('a matches "^a+$"'), all('a matches "^a+$"', 'b exists')],
    ['fewer members', leaf('a in ["x", "y", "z", 1]'), leaf('a in ["y", 1]')],
    ['anything there', leaf('a exists'), leaf('a neq 5')],
    ['anything below', leaf('a exists'), leaf('a.b eq 5')],
    ['another branch', any('a eq 1', 'b eq 1', 'c eq 1'), all('c eq 1', 'd eq 1')],
    ['fewer branches', any('a eq 1', 'b eq 1', 'c eq 1'), any('c eq 1', 'a eq 1')],
    [
      'the same tree',
      { all: [leaf('a eq 1'), any('b eq 1', 'c eq 1')] },
      { all: [any('c eq 1', 'b eq 1'), leaf('a eq 1')] },
    ],
    ['everything', any('a exists', 'a missing'), leaf('b eq 1')],
    ['everything else', any('a missing', 'a eq 5', 'a neq 5'), leaf('b eq 1')],
  ])('%s', ([_, early, late]) => {
    const hidden = lint([rule(late), drop(early)]).filter(({ code }) => code === 'behind_drop');
    expect(hidden).toMatchObject([{ rule: { id: 'r' }, related: [{ rule: { id: 'drop' } }] }]);
    expect(codes(rule(late, { priority: -2 }), drop(early))).not.toContain('behind_drop');
    expect(codes(rule(late), drop(early, { enabled: false }))).not.toContain('behind_drop');
  });
});

test('an invalid rule is refused', () => {
  expect(() => lint([rule({ all: [] })])).toThrow(RuleError);
});

test('no rule of which it says that no event matches is matched', () => {
  fc.assert(
    fc.property(arbitrary.encounter(), ([rules, events]) => {
      for (const warning of lint(rules)) {
        if (warning.code === 'never_matches') {
          const matches = compileMatch(warning.rule.match);
          for (const event of events) expect(matches(event)).toBe(false);
        }
      }
    }),
    { numRuns: 3_000 },
  );
});
