/** The limits of plans, and who meets them. */
import { expect, test } from 'vitest';
import { HeadgateError, QuotaError, assertRuleQuota, ruleLimits, type Plan } from '../../../src/index.js';

test('the limits of the plans', () => {
  expect(ruleLimits).toEqual({ hobby: 1, hacker: 5, pro: 25, scale: Infinity });
});

test.for<[Plan, number, number, boolean]>([
  ['hobby', 0, 1, true],
  ['hobby', 1, 1, false],
  ['hacker', 4, 1, true],
  ['hacker', 5, 1, false],
  ['hacker', 0, 6, false],
  ['pro', 24, 1, true],
  ['pro', 25, 1, false],
  ['pro', 30, 0, true],
  ['scale', 1_000_000, 1_000_000, true],
])('%s with %i rules and %i more: %s', ([plan, existing, adding, fits]) => {
  const check = () => {
    assertRuleQuota(plan, existing, adding);
  };
  if (fits) expect(check).not.toThrow();
  else expect(check).toThrow(QuotaError);
});

test('a QuotaError is what the API answers with', () => {
  const error = new QuotaError('x');
  expect(error).toBeInstanceOf(HeadgateError);
  expect(error).toMatchObject({ code: 'quota_exceeded', status: 402, name: 'QuotaError' });
  expect(() => {
    assertRuleQuota('hobby', 1);
  }).toThrow('the hobby plan has room for 1 rule; there are 1, and 1 more would be too many');
  expect(() => {
    assertRuleQuota('hacker', 4, 2);
  }).toThrow('the hacker plan has room for 5 rules; there are 4, and 2 more would be too many');
});

test.for<[string, number, number, string]>([
  ['enterprise', 0, 1, 'unknown plan enterprise; known: hobby, hacker, pro, scale'],
  ['constructor', 0, 1, 'unknown plan constructor; known: hobby, hacker, pro, scale'],
  ['pro', -1, 1, 'existing and adding must be counts; they are -1 and 1'],
  ['pro', 0, NaN, 'existing and adding must be counts; they are 0 and NaN'],
])('%s, %s, %s is refused as an option', ([plan, existing, adding, message]) => {
  expect(() => {
    assertRuleQuota(plan as Plan, existing, adding);
  }).toThrow(expect.objectContaining({ name: 'OptionError', code: 'invalid_option', message }));
});

test('a host with plans of its own gives the limit', () => {
  expect(() => {
    assertRuleQuota(3, 2);
    assertRuleQuota(Infinity, 1_000_000);
    assertRuleQuota(0, 0, 0);
  }).not.toThrow();
  expect(() => {
    assertRuleQuota(3, 3);
  }).toThrow('the plan has room for 3 rules; there are 3, and 1 more would be too many');
});

test.for<[unknown, string]>([
  [1.5, 'a limit of rules must be a whole number from 0, or Infinity; it is 1.5'],
  [-1, 'it is -1'],
  [NaN, 'it is NaN'],
  [undefined, 'unknown plan undefined; known: hobby, hacker, pro, scale'],
  [['pro'], 'unknown plan an array of 1; known: hobby, hacker, pro, scale'],
])('a plan of %o is refused', ([plan, message]) => {
  expect(() => {
    assertRuleQuota(plan as Plan, 0);
  }).toThrow(message);
});
