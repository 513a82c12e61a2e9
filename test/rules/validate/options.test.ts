/** The options of every function of rules, checked alike. */
import { describe, expect, test } from 'vitest';
import {
  compileMatch,
  compileRules,
  compileTransform,
  explainMatch,
  lintRules,
  type Match,
  type RuleChange,
  type RuleOptions,
} from '../../../src/index.js';
import { compileReferenceRules } from '../../../src/testing/index.js';

const match: Match = { path: 'data.a', op: 'exists' };

/** Every function that takes the options of rules; dryRun and importRules have tests of their own. */
const takers: Record<string, (options: RuleOptions) => unknown> = {
  compileMatch: (options) => compileMatch(match, options),
  compileRules: (options) => compileRules([], options),
  compileReferenceRules: (options) => compileReferenceRules([], options),
  compileTransform: (options) => compileTransform([{ op: 'trim', path: 'data.a' }], options),
  explainMatch: (options) => explainMatch(match, {}, options),
  lintRules: (options) => lintRules([], options),
};

describe.for(Object.entries(takers))('%s', ([name, take]) => {
  test.for<[unknown, string]>([
    [null, `the options of ${name} must be an object; this is null`],
    [0, `the options of ${name} must be an object; this is 0`],
    [{ budget: 1 }, `the options of ${name}: unknown "budget"`],
    [{ pattern: {} }, 'unknown "pattern". Did you mean patterns? Known here: patterns'],
    [{ patterns: 5 }, `patterns in the options of ${name} must be an object; this is 5`],
    [{ patterns: { bugdet: 1 } }, 'unknown "bugdet". Did you mean budget? Known here: engine, budget'],
    [{ patterns: { engine: {} } }, 'patterns.engine must be an engine'],
    [{ patterns: { engine: null } }, 'patterns.engine must be an engine'],
    ...[-1, 0, NaN, -Infinity].map((budget): [unknown, string] => [
      { patterns: { budget } },
      `budget must be a positive number of work units; it is ${budget}`,
    ]),
    [{ patterns: { budget: '1e6' } }, 'budget must be a positive number of work units; it is "1e6"'],
    [{ patterns: { budget: 5n } }, 'budget must be a positive number of work units; it is a bigint'],
  ])('refuses %o at once', ([options, message]) => {
    expect(() => take(options as RuleOptions)).toThrow(
      expect.objectContaining({
        name: 'OptionError',
        code: 'invalid_option',
        message: expect.stringContaining(message) as string,
      }),
    );
  });

  test('takes what is left out, and any positive budget', () => {
    for (const budget of [1, 0.5, 1e9, Infinity]) expect(() => take({ patterns: { budget } })).not.toThrow();
    expect(() => take({ patterns: {} })).not.toThrow();
    expect(() => take({})).not.toThrow();
  });
});

test.for<[unknown, string]>([
  [undefined, 'the change of update must be an object; this is undefined'],
  [[], 'the change of update must be an object; this is an empty array'],
  [{ add: [] }, 'the change of update: unknown "add". Known here: put, remove'],
  [{ remove: 'r1' }, 'remove must be an array of the ids of rules'],
  [{ remove: [1] }, 'remove must be an array of the ids of rules'],
])('a change of %o is refused', ([change, message]) => {
  expect(() => compileRules([]).update(change as RuleChange)).toThrow(message);
});
