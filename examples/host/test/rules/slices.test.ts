/** Large work on rules goes in slices, between which the process does what else there is. */
import { exportRules, type Rule, stringifyJson } from 'headgate';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import { slicesOf } from '../../src/rules/exporting.js';
import { forgetMinutes, MINUTES_AT_ONCE } from '../../src/rules/writing.js';
import { databases } from '../db/databases.js';

const ruleOf = (i: number, units: number): Rule => ({
  ...{ id: newId(i), name: `rule ${i}`, description: 'x'.repeat(units), stage: 'deliver', priority: i },
  ...{ match: { path: 'type', op: 'exists' }, action: { type: 'drop' } },
});

test.for([
  { count: 0, units: 0 },
  { count: 1, units: 500_000 },
  { count: 2_000, units: 500 },
])('an export of $count rules is the same file in parts', async ({ count, units }) => {
  const rules = Array.from({ length: count }, (_, i) => ruleOf(i, units));
  const slices: string[] = [];
  for await (const slice of slicesOf(rules)) slices.push(slice);
  expect(slices.join('')).toBe(`[\n${exportRules(rules).map(stringifyJson).join(',\n')}\n]\n`);
  // A slice ends with the rule that makes it long enough.
  expect(Math.max(...slices.map(({ length }) => length))).toBeLessThan(131_072 + units + 1_000);
});

describe.each(databases())('in $name', ({ open }) => {
  test('the minutes of a rule are deleted some at a time', async () => {
    const db = await open();
    const [rule, other] = [newId(1), newId(2)];
    const minutes = 2 * MINUTES_AT_ONCE + 7;
    for (const id of [rule, other]) {
      await db.insert(
        'rule_minutes',
        Array.from({ length: minutes }, (_, minute) => ({ rule_id: id, minute, matched: 1 })),
      );
    }
    const deleted: number[] = [];
    const watched: Pick<Database, 'run'> = {
      run: async (...given) => {
        const count = await db.run(...given);
        deleted.push(count);
        return count;
      },
    };
    await forgetMinutes(watched, rule);
    expect(deleted).toEqual([MINUTES_AT_ONCE, MINUTES_AT_ONCE, 7]);
    expect(await db.all('select rule_id, count(*) as n from rule_minutes group by rule_id')).toEqual([
      { rule_id: other, n: minutes },
    ]);
  });
});
