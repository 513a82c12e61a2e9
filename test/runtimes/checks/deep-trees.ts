/** Trees and events a hundred thousand levels deep, on whatever stack the runtime has. */
import {
  compileMatch,
  compileRules,
  compileTransform,
  explainMatch,
  exportRules,
  importRules,
  lintRules,
  type Match,
  parseJson,
  type Rule,
  stringifyJson,
  validateRule,
} from 'headgate';
import { type Checks, equal } from './checks.js';

const LEVELS = 100_000;

/** A leaf under as many groups. */
function deepMatch(): Match {
  let match: Match = { path: 'data.n', op: 'eq', value: 1 };
  for (let level = 0; level < LEVELS; level++) match = level % 2 === 0 ? { all: [match] } : { any: [match] };
  return match;
}

/** A value under as many arrays and objects. */
function deepValue(value: unknown): unknown {
  for (let level = 0; level < LEVELS; level++) value = level % 2 === 0 ? [value] : { x: value };
  return value;
}

function innermost(value: unknown): unknown {
  while (typeof value === 'object' && value !== null) [value] = Object.values(value);
  return value;
}

const deepRule = (): Rule => ({
  id: '1',
  name: 'deep',
  stage: 'deliver',
  match: deepMatch(),
  action: { type: 'tag', tags: ['found'] },
  priority: 1,
});

const eventOf = (data: unknown) => ({ id: 'evt_1', type: 't', data: data as object });

/** The checks of depth. */
export const deepTreeChecks: Checks = {
  'a deep tree is validated': () => equal(validateRule(deepRule()).ok, true, 'ok'),

  'a deep tree matches': () => {
    const rules = compileRules([deepRule()]);
    equal(rules.evaluate(eventOf({ n: 1 })).tags, ['found'], 'a match');
    equal(rules.evaluate(eventOf({ n: 2 })).tags, [], 'none');
  },

  'a deep tree is explained': () => {
    const { leaves } = explainMatch(deepMatch(), eventOf({ n: 1 }));
    equal(
      leaves.map(({ result }) => result),
      ['held'],
      'leaves',
    );
  },

  'a deep tree is searched for mistakes': () => {
    const codes = lintRules([deepRule()]).map(({ code }) => code);
    equal(codes, ['not_checked'], 'the end of its work budget');
  },

  'a deep tree goes to a file and back': () => {
    const text = stringifyJson(exportRules([deepRule()]));
    const { rules } = importRules(text, { newId: () => '1' });
    equal(compileRules(rules).evaluate(eventOf({ n: 1 })).tags, ['found'], 'tags');
  },

  'a deep value is compared': () => {
    const match: Match = { path: 'data', op: 'eq', value: deepValue(1) as never };
    const holds = compileMatch(match);
    equal([holds(eventOf(deepValue(1))), holds(eventOf(deepValue(2)))], [true, false], 'equal');
  },

  'a deep event is redacted to its end': () => {
    const redact = compileTransform([
      { op: 'redact', path: 'data.x', regex: 'sk_[a-z]+', replace: '***', deep: true },
    ]);
    equal(innermost(redact(eventOf({ x: deepValue('key sk_live') })).data), 'key ***', 'the innermost text');
  },

  'deep JSON is read and written': () => {
    const text = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`;
    equal(stringifyJson(parseJson(text)) === text, true, 'the same text');
  },
};
