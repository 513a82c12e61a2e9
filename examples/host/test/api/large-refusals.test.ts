/**
 * Refusals of requests that are wrong in many members, or at great length: the answer stays small, and says what it
 * leaves out.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { problemBody } from '../../src/api/answers.js';
import { newId } from '../../src/ids.js';
import { Problem } from '../../src/errors/problem.js';
import { databases } from '../db/databases.js';
import { hostOn } from '../world.js';

/** Most bytes of a refusal; the texts of the tests take up to six bytes a character as JSON. */
const MOST_BYTES = 65_536;

const HALF_CHARACTER = /\p{Cs}/u;

const text = fc.oneof(
  fc.string({ maxLength: 40, unit: 'grapheme' }),
  fc.integer({ min: 400, max: 20_000 }).map((length) => '\0'.repeat(length)),
  fc
    .integer({ min: 400, max: 20_000 })
    .map((length) => 'x'.repeat(length % 2) + '\u{1F600}'.repeat(length / 2)),
);
const issue = fc.record({ code: fc.constantFrom('a', 'b'), pointer: text, message: text });

test('whatever was wrong, a problem is small, whole characters, and counts every issue', () => {
  const issues = fc.array(issue, { maxLength: 300, size: 'max' });
  fc.assert(
    fc.property(text, issues, fc.nat(1_000), (message, all, issuesLeftOut) => {
      const problem = new Problem('invalid_request', message, { issues: all, issuesLeftOut });
      const body = problemBody(problem, 'a request') as {
        readonly detail: string;
        readonly issues: readonly { readonly pointer: string; readonly message: string }[];
        readonly issues_left_out?: number;
      };
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(MOST_BYTES);
      expect(body.issues.length + (body.issues_left_out ?? 0)).toBe(all.length + issuesLeftOut);
      expect(body.issues.length).toBeGreaterThanOrEqual(Math.min(1, all.length));
      for (const [i, shown] of body.issues.entries()) {
        for (const member of ['pointer', 'message'] as const) {
          const whole = all[i]?.[member] ?? '';
          expect(whole.startsWith(shown[member].replace(/…$/, ''))).toBe(true);
          expect(HALF_CHARACTER.test(shown[member])).toBe(false);
          if (whole.length <= 500) expect(shown[member]).toBe(whole);
        }
      }
    }),
  );
});

test('routes refuse large mistakes with small answers', async () => {
  const [sqlite] = databases();
  const { call, project } = await hostOn(await sqlite!.open());
  const under = `/projects/${project}`;
  const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${i}`.repeat(9), i]));
  const name = 'é'.repeat(300_000);
  const rule = { name: 'a', stage: 'deliver', match: { path: 'id', op: 'exists' }, priority: 1 };
  const deep = `${'{"all":['.repeat(50_000)}{"x":1}${']}'.repeat(50_000)}`;
  const leaves = Array.from({ length: 10_000 }, () => ({ path: 'a..b', op: 'eqq', value: 1 }));
  const unknown = Array.from({ length: 20_000 }, (_, i) => newId(i));
  const tries: readonly (readonly [method: string, path: string, body: unknown])[] = [
    ['POST', `${under}/keys`, names],
    ['POST', `${under}/keys`, { [name]: 1 }],
    ['POST', `${under}/keys`, { name, scopes: leaves }],
    ['PATCH', under, { [name]: 1 }],
    ['POST', `${under}/endpoints`, { name, url: name }],
    ['POST', `${under}/channels`, { name: 'a', source: names }],
    ['POST', `${under}/rules`, { ...rule, ...names, action: { type: 'drop' } }],
    ['POST', `${under}/rules`, { ...rule, [name]: 1, action: { type: name } }],
    ['POST', `${under}/rules`, { ...rule, match: { all: leaves }, action: { type: 'drop' } }],
    ['POST', `${under}/rules`, `{"name":"a","match":${deep}}`],
    ['POST', `${under}/rules/try`, { match: { [name]: 1 } }],
    ['POST', `${under}/rules/try`, names],
    ['POST', `${under}/rules/dry-run`, { match: { all: leaves }, windowHours: 1 }],
    ['PUT', `${under}/rules/order`, { ids: Array.from({ length: 20_000 }, () => rule.name.repeat(36)) }],
    ['PUT', `${under}/rules/order`, { ids: unknown }],
    ['POST', `${under}/events/search`, { match: { path: 'x'.repeat(60_000), op: 'x' } }],
    ['GET', `${under}/events?${'a=1&'.repeat(1_000)}${'x'.repeat(5_000)}=1`, undefined],
    ['GET', `${under}/keys?limit=${'9'.repeat(5_000)}`, undefined],
  ];
  for (const [method, path, body] of tries) {
    const told = `${method} ${path.slice(0, 100)} ${JSON.stringify(body)?.slice(0, 60)}`;
    const { status, text: answer, json } = await call(method, path, body);
    expect.soft([status >= 400 && status < 500, told]).toEqual([true, told]);
    expect.soft(Buffer.byteLength(answer), told).toBeLessThan(MOST_BYTES);
    expect.soft(json.detail.length, told).toBeLessThanOrEqual(500);
  }
});

test('an import of many mistakes names the first, and counts the rest', async () => {
  const [sqlite] = databases();
  const { call, project } = await hostOn(await sqlite!.open());
  const rule = { name: 'a', stage: 'deliver', match: { path: 'id', op: 'exists' }, action: { type: 'drop' } };
  const wrong = { ...rule, priority: 'é'.repeat(100), ['x'.repeat(1_000)]: 1 };
  const good = Array.from({ length: 1_500 }, (_, priority) => ({ ...rule, priority }));
  const file = JSON.stringify([...good, ...Array.from({ length: 5_000 }, () => wrong)]);
  const { status, text: answer, json } = await call('POST', `/projects/${project}/rules/import`, file);
  expect(status).toBe(200);
  expect(json).toMatchObject({ imported: 1_500, skipped: 5_000 });
  expect(json.rules).toHaveLength(1_000);
  const { errors, errors_left_out: leftOut } = json as {
    errors: readonly unknown[];
    errors_left_out: number;
  };
  expect(errors.length + leftOut).toBe(10_000);
  expect(Buffer.byteLength(answer)).toBeLessThan(1_048_576);
});

test('unknown names take 4 KB of an answer at most, however many and long they are', async () => {
  const [sqlite] = databases();
  const { call, project } = await hostOn(await sqlite!.open());
  const under = `/projects/${project}`;
  const long = '\u540d'.repeat(300);
  const named = (count: number, more: object = {}): object =>
    Object.fromEntries([
      ...Object.entries(more),
      ...Array.from({ length: count }, (_, i) => [`${long}${i}`, 1]),
    ]);
  const leaf = { path: 'id', op: 'exists' };
  const rule = { name: 'a', stage: 'deliver', match: leaf, action: { type: 'drop' }, priority: 1 };
  const leaves = Array.from({ length: 500 }, () => named(1, leaf));
  const rules = Array.from({ length: 2_000 }, () => named(1, rule));
  const query = Array.from({ length: 90 }, (_, i) => `${encodeURIComponent(long.slice(0, 15))}${i}=1`).join(
    '&',
  );
  const tries: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['POST', `${under}/rules`, named(1_000, rule)],
    ['POST', `${under}/rules`, { ...rule, match: { all: leaves } }],
    ['POST', `${under}/rules/import`, rules],
    ['POST', `${under}/rules/dry-run`, { ...named(90, rule), windowHours: 1 }],
    ['POST', `${under}/keys`, named(90)],
    ['POST', `${under}/channels`, { name: 'a', source: named(90) }],
    ['GET', `${under}/events?${query}`],
  ];
  for (const [method, path, body] of tries) {
    const { text: answer, json } = await call(method, path, body);
    const told = `${method} ${path.slice(0, 100)}`;
    const names = answer.match(/[\u540d\d]+/g)?.filter((name) => name.includes('\u540d')) ?? [];
    expect.soft(names.length, told).toBeGreaterThan(0);
    expect.soft(Buffer.byteLength(names.join('')), told).toBeLessThanOrEqual(4_096);
    expect.soft(json.issues?.length ?? json.errors.length, told).toBeGreaterThan(0);
  }
});
