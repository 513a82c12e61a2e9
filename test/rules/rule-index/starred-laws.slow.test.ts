/** The index finds rules with stars in their paths: an event costs what its elements cost, not what the rules cost. */
import { describe, expect, test } from 'vitest';
import type { Leaf, Rule } from '../../../src/index.js';
import { atMost, violationsOf, type Bounds } from './cost-bounds.js';
import { CountedRules, costOf } from './event-cost.js';

const FEW = 1_000;
const MANY = 100_000;

interface Kind {
  readonly op: Leaf['op'];
  readonly path: string;
  readonly value: (i: number) => Leaf['value'];
  /** The member of an element for which the leaf of the i-th rule holds. */
  readonly meeting: (i: number) => string | number;
  readonly bounds: Bounds;
}

const TOLD: Bounds = { ...atMost(1.5), isTold: true };
const SKU = 'data.items.*.sku';

const kinds: readonly Kind[] = [
  { op: 'eq', path: SKU, value: (i) => `sku-${i}`, meeting: (i) => `sku-${i}`, bounds: TOLD },
  {
    op: 'in',
    path: SKU,
    value: (i) => [`sku-${i}`, `old-${i}`, i],
    meeting: (i) => `old-${i}`,
    bounds: TOLD,
  },
  { op: 'starts_with', path: SKU, value: (i) => `sku-${i}-`, meeting: (i) => `sku-${i}-red`, bounds: TOLD },
  { op: 'contains', path: SKU, value: (i) => `<${i}>`, meeting: (i) => `sku <${i}>`, bounds: TOLD },
  {
    op: 'gte',
    path: 'data.items.*.qty',
    value: (i) => 1_000 + i,
    meeting: () => 1_003,
    bounds: TOLD,
  },
  {
    op: 'matches',
    path: SKU,
    value: (i) => `^sku-${i}-[a-z]+$`,
    meeting: (i) => `sku-${i}-red`,
    // A text of a pattern occurs more often than the pattern matches.
    bounds: { ...atMost(1.5, { units: 2.1 }), perMatch: 4 },
  },
];

const rulesOf = ({ op, path, value }: Kind, count: number, prefix = 'r'): Rule[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `${prefix}${String(i).padStart(6, '0')}`,
    name: 'r',
    stage: 'deliver',
    match: { path, op, value: value(i) } as Leaf,
    action: { type: 'tag', tags: ['seen'] },
    priority: 0,
  }));

/** A number that shares no digits with the texts that rules look for. */
const inLetters = (i: number): string =>
  String(i).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] as string);

/** Events in each of which one element meets a rule. */
const textsOf = ({ path, meeting }: Kind, elements: number, events: number): string[] =>
  Array.from({ length: events }, (_, nth) => {
    const name = path.split('.').at(-1) as string;
    const items: Record<string, unknown>[] = Array.from({ length: elements }, (_, i) => ({
      sku: `other-${inLetters(i)}`,
      qty: i % 100,
    }));
    items[nth % elements] = { [name]: meeting((nth * 37) % FEW) };
    return JSON.stringify({ id: 'evt_1', type: 't', data: { items } });
  });

const SIZES = [
  [1, 100],
  [20, 50],
  [10_000, 2],
] as const;

describe('an event costs with 100,000 rules what it costs with 1,000', () => {
  test.for(kinds)('$op, over 1, 20 and 10,000 elements', (kind) => {
    const [few, many] = [FEW, MANY].map((count) => CountedRules.compile(rulesOf(kind, count)));
    for (const [elements, events] of SIZES) {
      const texts = textsOf(kind, elements, events);
      const [before, after] = [few!.cost(texts), many!.cost(texts)];
      expect(before.matches).toBeGreaterThan(0);
      expect({ elements, beyond: violationsOf(before, after, kind.bounds) }).toEqual({
        elements,
        beyond: [],
      });
    }
  });
});

test('rules about one path share what is read: another path through the same elements costs as much again', () => {
  const kind = kinds[0]!;
  const texts = textsOf(kind, 20, 20);
  const one = costOf({ rules: rulesOf(kind, FEW), texts });
  const both = costOf({
    rules: [...rulesOf(kind, FEW), ...rulesOf({ ...kind, path: 'data.items.*.qty' }, FEW, 's')],
    texts,
  });
  expect(both.lookUps).toBeLessThanOrEqual(2.1 * one.lookUps);
});
