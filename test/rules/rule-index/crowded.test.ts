/** Values and ranges that somebody chose so that a search for one of them would meet all of them. */
import { expect, test, vi } from 'vitest';
import type { Rule } from '../../../src/index.js';
import { extend, HashTable } from '../../../src/rules/rule-index/layout/hash-table.js';
import { Intervals } from '../../../src/rules/rule-index/layout/intervals.js';
import { ruleOf } from '../arbitraries.js';
import { expectRight } from './same.js';

const hashOf = (text: string): number =>
  Array.from(text).reduce((hash, unit) => extend(hash, unit.charCodeAt(0)), 0);

/**
 * Two texts of three units and one hash: units in the middle of the range, and others that are as far from them as is
 * found.
 */
function twins(): readonly [string, string] {
  const base = [20_000, 20_000, 20_000];
  const text = (units: readonly number[]): string => String.fromCharCode(...units);
  const wanted = hashOf(text(base));
  for (let a = 1; a < 4_000; a++) {
    for (let b = -4_000; b < 4_000; b++) {
      const two = extend(extend(extend(0, 20_000 + a), 20_000 + b), 0);
      const last = (wanted - two) | 0;
      if (last > 0 && last < 50_000) return [text(base), text([20_000 + a, 20_000 + b, last])];
    }
  }
  throw new Error('no twins');
}

/** As many texts of one hash as there are ways to choose one of two twins, so many times in a row. */
function ofOneHash(times: number): readonly string[] {
  const two = twins();
  return Array.from({ length: 2 ** times }, (_, n) =>
    Array.from({ length: times }, (_, bit) => two[(n >> bit) & 1]).join(''),
  );
}

test.for([1, 2, 3, 4, 6, 9])(
  'of 2 to the power of %d values of one hash, a look-up compares eight at most',
  (times) => {
    const texts = ofOneHash(times);
    expect(new Set(texts.map(hashOf)).size).toBe(1);
    // Other values stand between them.
    const all = texts.flatMap((value, n) => [value, `other ${n}`, `more ${n}`]);
    const rules = all.map((value, n): Rule => ruleOf({ path: 'data.a', op: 'eq', value }, { id: `r${n}` }));
    const values = [texts[0]!, texts.at(-1)!, texts[texts.length >> 1]!, `${texts[0]!}x`, 'x'];
    const compared = vi.spyOn(HashTable.prototype, 'after');
    expectRight(
      rules,
      values.map((a, i) => ({ id: `evt_${i}`, type: 'a', data: { a } })),
    );
    // Each event is evaluated twice.
    expect(compared.mock.calls.length).toBeLessThanOrEqual(2 * values.length * 8);
    vi.restoreAllMocks();
  },
);

test.for(['ascending', 'descending'])('intervals in %s order make a tree that is as flat as any', (order) => {
  const COUNT = 30_000;
  const all = Array.from({ length: COUNT }, (_, n) => ({ low: 2 * n, high: 2 * n + 1, entry: n }));
  const tree = new Intervals(order === 'ascending' ? all : all.toReversed());
  for (let at = 0; at < 2 * COUNT; at += 997) {
    const met: number[] = [];
    tree.stab(at, (entry) => met.push(entry));
    expect(met).toEqual([at >> 1]);
  }
});
