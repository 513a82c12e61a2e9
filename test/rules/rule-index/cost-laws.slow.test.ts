/** The index goes on indexing: what an event costs hardly depends on the number of rules. */
import { describe, expect, test } from 'vitest';
import { flatWorkloads, parsedWorkloads, payloadWorkloads } from '../../../bench/workloads/index.js';
import {
  changeLaws,
  cliffLaws,
  flatLaws,
  PARSED_AS_FLAT,
  parsedLaws,
  patternLaws,
  payloadLaws,
  shapeViolations,
  type ShapeLaw,
} from './cost-laws.js';

const shapeNames = (laws: readonly ShapeLaw[]): string[] => laws.map(({ shape }) => shape);
const names = (workloads: readonly { readonly name: string }[]): string[] =>
  workloads.map(({ name }) => name);

describe('there is a law', () => {
  test('for each shape of bench/flat', () => {
    expect(shapeNames(flatLaws)).toEqual(names(flatWorkloads));
  });

  test('for each shape of bench/parsed, or for a flat shape with the same rules', () => {
    const all = [...shapeNames(parsedLaws), ...Object.keys(PARSED_AS_FLAT)];
    expect(all.sort()).toEqual(names(parsedWorkloads).sort());
    const size = { rules: 50, events: 1 };
    for (const [shape, other] of Object.entries(PARSED_AS_FLAT)) {
      const [parsed, flat] = [
        parsedWorkloads.find(({ name }) => name === shape)!,
        flatWorkloads.find(({ name }) => name === other)!,
      ];
      expect(parsed.make(size)).toEqual(flat.make(size));
    }
  });

  test('for each shape of bench/webhook-payloads', () => {
    expect(shapeNames(payloadLaws)).toEqual(names(payloadWorkloads));
  });
});

describe('an event costs about as much with many rules as with few', () => {
  test.for([...flatLaws, ...parsedLaws, ...payloadLaws])('$group: $shape, $few and $many rules', (law) => {
    expect(shapeViolations(law, law.many)).toEqual([]);
  });
});

describe('no cliff: all rules cost about as much as a hundredth of them', () => {
  test.for(cliffLaws)('$name', ({ violations }) => {
    expect(violations()).toEqual([]);
  });
});

describe('a hundred changes of one rule leave few layers, each of which costs what the whole did', () => {
  test.for(changeLaws)('$name', ({ violations }) => {
    expect(violations()).toEqual([]);
  });
});

describe('a thousand patterns on one path are looked for in as many units as ten, and texts of theirs once more', () => {
  test.for(patternLaws)('$name', ({ violations }) => {
    expect(violations()).toEqual([]);
  });
});
