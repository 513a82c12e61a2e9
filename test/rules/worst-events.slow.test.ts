/** One event never takes longer than docs/patterns.md says, whatever the rules. */
import { describe, expect, test } from 'vitest';
import { compileMatch, compileRules, explainMatch, type Match } from '../../src/index.js';
import { compileReferenceRules } from '../../src/testing/index.js';
import { letters, shapes, type Encounter, type Shape } from './worst-events.js';

const RULES = 1 << 19;
const EVENT = 1 << 19;
/** The share of both where every rule may spend its budget. */
const PART = 1 / 8;
const BUDGET = 1_000_000;
const options = { patterns: { budget: BUDGET } };

/**
 * Seconds of processor time, several times what is usual: where the work is the product of both sizes, it is 6 × 10⁹
 * steps. A rule that may spend its budget gets what docs/patterns.md says it can take.
 */
const allowed = ({ spends }: Shape, { rules }: Encounter): number =>
  spends === 'nothing' ? 3 : 3 + rules.length * BUDGET * 40e-9;

const encounterOf = ({ spends, of }: Shape): Encounter =>
  spends === 'nothing' ? of(RULES, EVENT) : of(PART * RULES, PART * EVENT);

/** The seconds of processor time that a call takes, and its result. */
function timed<T>(run: () => T): { readonly seconds: number; readonly result: T } {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, result };
}

describe('an event takes no longer than its bound, and is decided as without an index', () => {
  test.for(shapes)('$name', { timeout: 120_000 }, (shape) => {
    const encounter = encounterOf(shape);
    const { rules, event } = encounter;
    const set = compileRules(rules, options);
    const plain = compileReferenceRules(rules, options);
    const [fast, slow] = [timed(() => set.evaluate(event)), timed(() => plain.evaluate(event))];
    for (const { seconds } of [fast, slow]) expect(seconds).toBeLessThan(allowed(shape, encounter));
    const [indexed, expected] = [fast.result, slow.result];
    expect(indexed.matched.map(({ id }) => id)).toEqual(expected.matched.map(({ id }) => id));
    expect(indexed.limits).toEqual(expected.limits);
    expect(indexed.event).toEqual(expected.event);
  });

  test.for(shapes.filter(({ spends }) => spends === 'nothing'))(
    'explained: $name',
    { timeout: 120_000 },
    (shape) => {
      const encounter = encounterOf(shape);
      const match = encounter.rules[0]?.match as Match;
      const { seconds, result } = timed(() => explainMatch(match, encounter.event, options));
      expect(seconds).toBeLessThan(allowed(shape, encounter));
      expect(result.matched).toBe(compileMatch(match, options)(encounter.event));
    },
  );
});

describe('the index keeps within the budgets that trying rules one by one keeps within', () => {
  const costly = (count: number): Match => ({
    any: Array.from({ length: count }, (_, i) => ({
      path: 'data.a',
      op: 'matches',
      value: `[ab]*a[ab]{${200 + i}}[^ab].`,
    })),
  });
  const rule = (match: Match, id: string) =>
    ({ id, name: id, stage: 'deliver', match, action: { type: 'drop' }, priority: 0 }) as const;

  test.for([
    { patterns: 40, units: 350_000, budget: 100_000_000 },
    { patterns: 400, units: 20_000, budget: 100_000_000 },
    { patterns: 40, units: 100_000, budget: 1_000_000 },
  ])(
    '$patterns costly patterns in one rule, $units letters, a budget of $budget',
    { timeout: 120_000 },
    ({ patterns, units, budget }) => {
      const match = costly(patterns);
      const event = { id: 'evt_1', type: 't', data: { a: letters(units) } };
      const rules = [
        rule(match, 'costly'),
        rule({ path: 'data.a', op: 'matches', value: 'x.[ab]y' }, 'cheap'),
      ];
      const set = compileRules(rules, { patterns: { budget } });
      const plain = compileReferenceRules(rules, { patterns: { budget } });
      const [fast, slow] = [timed(() => set.evaluate(event)), timed(() => plain.evaluate(event))];
      expect(fast.seconds).toBeLessThan(3 + 4 * slow.seconds);
      expect(fast.result.limits).toEqual(slow.result.limits);
    },
  );
});
