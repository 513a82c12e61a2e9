/** The language of rules: the examples that define it, and what RE2 finds. */
import {
  checkPattern,
  compileMatch,
  compileRules,
  compileTransform,
  exportRules,
  importRules,
  lintRules,
  type Match,
  type Rule,
  ruleTemplates,
  validateRule,
} from 'headgate';
import * as slim from 'headgate/slim';
import { bracket, readMatches } from '../../patterns/re2-vectors.js';
import { given } from '../given.js';
import { type Checks, equal } from './checks.js';

const ruleOf = (id: string, match: Match): Rule => ({
  id,
  name: id,
  stage: 'deliver',
  match,
  action: { type: 'tag', tags: [id] },
  priority: 1,
});

const eventOf = (data: unknown) => ({ id: 'evt_1', type: 't', data: data as object });

/** All trees of the document in one set, so that an index finds each. */
const tags = (() => {
  let compiled: ReturnType<typeof compileRules> | null = null;
  return (event: unknown): readonly string[] => {
    compiled ??= compileRules(given.matches.map(({ line, match }) => ruleOf(`line ${line}`, match)));
    return compiled.evaluate(event as Parameters<typeof compiled.evaluate>[0]).tags;
  };
})();

const examples: Checks = Object.fromEntries(
  given.matches.map(({ line, match, matches, 'but not': misses }) => [
    `docs/rules.md, line ${line}`,
    () => {
      const holds = compileMatch(match);
      for (const event of matches) {
        equal([holds(event), tags(event).includes(`line ${line}`)], [true, true], JSON.stringify(event));
      }
      for (const event of misses) {
        equal([holds(event), tags(event).includes(`line ${line}`)], [false, false], JSON.stringify(event));
      }
    },
  ]),
);

const patterns: Checks = Object.fromEntries(
  given.re2.groups.flatMap(({ about, subjects, cases }) =>
    Object.entries(cases).map(([pattern, expected]) => [
      `${about}: ${pattern}`,
      () => tryPattern(pattern, subjects, expected),
    ]),
  ),
);

function tryPattern(
  pattern: string,
  subjects: readonly string[],
  expected: readonly (string | null)[],
): void {
  const holds = compileMatch({ path: 'data', op: 'matches', value: pattern });
  const mark = compileTransform([
    { op: 'redact', path: 'data.s', regex: pattern, replace: '<$&>', deep: false },
  ]);
  for (const [nth, subject] of subjects.entries()) {
    const vector = expected[nth];
    if (typeof vector !== 'string') continue;
    const matches = readMatches(vector, subject);
    equal(holds(eventOf(subject)), matches.length > 0, subject);
    equal(mark(eventOf({ s: subject })).data, { s: bracket(matches, subject) }, subject);
  }
}

const refusals: Checks = Object.fromEntries(
  given.re2.refused.map((pattern) => [
    `refused: ${pattern}`,
    () => equal(checkPattern(pattern) === null, false, pattern),
  ]),
);

/** The checks of rules. */
export const ruleChecks: Checks = {
  ...examples,
  ...patterns,
  ...refusals,

  'every problem of a rule is told at once, with its pointer': () => {
    const result = validateRule({
      ...ruleOf('1', { path: '', op: 'regex' as 'eq', value: 1 }),
      priority: 1.5,
    });
    const issues = result.ok ? [] : result.issues.map(({ code, pointer }) => `${code} ${pointer}`);
    equal(
      issues.sort(),
      ['invalid_path /match/path', 'invalid_type /priority', 'unknown_operator /match/op'],
      'issues',
    );
  },

  'rules go to a file and back': () => {
    const rules = ruleTemplates.map(({ rule }, nth) => ({ ...rule, id: `${nth}` }));
    const text = JSON.stringify(exportRules(rules));
    let last = 0;
    const imported = importRules(new TextEncoder().encode(text), { newId: () => `${last++}` });
    equal(JSON.stringify(exportRules(imported.rules)), text, 'the file');
  },

  'mistakes in rules are found': () => {
    const both = { all: [1, 2].map((value) => ({ path: 'data', op: 'eq' as const, value })) };
    equal(
      lintRules([ruleOf('1', both)]).map(({ code }) => code),
      ['never_matches'],
      'codes',
    );
  },

  'small patterns run without an engine, and others say that they need one': () => {
    const small = { path: 'data', op: 'matches' as const, value: '^sk_[a-z]+$' };
    equal(slim.compileMatch(small)(eventOf('sk_live')), true, 'a small one');
    let codes: unknown;
    try {
      slim.compileMatch({ ...small, value: '[a-z]{40}' });
    } catch (error) {
      codes = error instanceof slim.RuleError && error.issues.map(({ code }) => code);
    }
    equal(codes, ['needs_engine'], 'a large one');
  },
};
