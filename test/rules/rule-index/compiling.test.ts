/** Making an index takes work in proportion to the rules, whatever they are, and its decisions stay the same. */
import { describe, expect, test } from 'vitest';
import type { Event, Rule } from '../../../src/index.js';
import { planRules } from '../../../src/rules/rule-index/plan/index.js';
import { monsters } from '../monsters.js';
import { expectRight } from './same.js';

const BYTES = 60_000;

/** Leaves and keys looked at while an index over rules is planned. */
const workOf = (rules: readonly Rule[]): number => planRules(rules, {}).work;

/** Events that have what the monsters look for, in one value or another. */
const events: readonly Event[] = Array.from({ length: 12 }, (_, nth) => ({
  id: 'evt_1',
  type: nth % 3 === 0 ? 'pull' : 'push',
  data: {
    a: nth % 2 === 0 ? 'ab'.repeat(nth) : nth,
    n: nth * 7,
    last: nth,
    ref: `v${nth}/x`,
    ...Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, (i * nth) % 5])),
  },
}));

describe.for(monsters.map((monster) => [monster.name, monster] as const))('%s', ([, { rules }]) => {
  test('are indexed with work in proportion to their size', () => {
    const [small, large] = [rules(BYTES), rules(4 * BYTES)];
    // A leaf and its keys are five bytes of a rule at least; a plan is made nine times, and a small rule's more often.
    expect(workOf(small)).toBeLessThan((9 * BYTES) / 5 + 2_048 * small.length);
    expect(workOf(large)).toBeLessThan((9 * 4 * BYTES) / 5 + 2_048 * large.length);
  });

  test('decide as they do one by one, beside a rule of each event', () => {
    const beside = events.map(({ data: { ref } }, nth): Rule => ({
      id: `beside ${nth}`,
      name: 'beside',
      stage: 'deliver',
      match: { path: 'data.ref', op: 'eq', value: ref as string },
      action: { type: 'tag', tags: [`beside ${nth}`] },
      priority: nth % 2 === 0 ? -1 : 1,
    }));
    expectRight([...rules(BYTES / 3), ...beside], events);
  });
});
