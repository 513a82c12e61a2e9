/** Faults that change no decision: the laws of cost see each of them alone. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { flatWorkloads, parseEvent } from '../../../bench/workloads/index.js';
import type * as patterns from '../../../src/patterns/index.js';
import { GramCounts } from '../../../src/rules/rule-index/layout/gram-counts.js';
import { Filter, HashTable, slide } from '../../../src/rules/rule-index/layout/hash-table.js';
import { entryOf, offsetOfEntry } from '../../../src/rules/rule-index/layout/index.js';
import { Candidates } from '../../../src/rules/rule-index/match/candidates.js';
import type * as cover from '../../../src/rules/rule-index/plan/cover.js';
import type * as limit from '../../../src/rules/rule-index/plan/limits.js';
import { Weights } from '../../../src/rules/rule-index/plan/weights.js';
import {
  cliffLaws,
  flatLaws,
  parsedLaws,
  patternLaws,
  payloadLaws,
  shapeViolations,
  type CostLaw,
} from './cost-laws.js';
import { expectRight } from './same.js';

/** Faults in modules; all others are planted in classes. */
const planted = vi.hoisted(() => ({ hasNoInner: false, takesHeaviest: false, isOneByOne: false }));

vi.mock('../../../src/rules/rule-index/plan/limits.js', async (original) => {
  const { limits } = await original<typeof limit>();
  return {
    limits: {
      ...limits,
      get levels() {
        return planted.hasNoInner ? 1 : limits.levels;
      },
    },
  };
});

vi.mock('../../../src/rules/rule-index/plan/cover.js', async (original) => {
  const real = await original<typeof cover>();
  const negative = (found: cover.Cover): cover.Cover => ({ ...found, weight: -found.weight });
  /** The lightest by weights below zero is the heaviest. */
  const heaviestOf: typeof cover.coverOf = (match, leaves, standing, scales) => {
    const inverted: cover.Scales = {
      leaf(leaf) {
        const found = scales.leaf(leaf);
        return found && negative(found);
      },
      range: (range) => negative(scales.range(range)),
    };
    const covered = real.coverOf(match, leaves, standing, inverted);
    return { ...covered, cover: covered.cover && negative(covered.cover) };
  };
  const coverOf: typeof cover.coverOf = (...of) => (planted.takesHeaviest ? heaviestOf : real.coverOf)(...of);
  return { ...real, coverOf };
});

vi.mock('../../../src/patterns/index.js', async (original) => {
  const real = await original<typeof patterns>();
  const compilePatternSet: typeof patterns.compilePatternSet = (...of) => {
    const set = real.compilePatternSet(...of);
    return { ...set, matching: (...text) => (planted.isOneByOne ? undefined : set.matching(...text)) };
  };
  return { ...real, compilePatternSet };
});

afterEach(() => {
  Object.assign(planted, { hasNoInner: false, takesHeaviest: false, isOneByOne: false });
  vi.restoreAllMocks();
});

interface Fault {
  readonly fault: string;
  readonly plant: () => void;
  /** Laws that see it. */
  readonly seenBy: readonly string[];
}

const faults: readonly Fault[] = [
  {
    fault: 'all weights are equal',
    plant() {
      const { leaf, range } = Weights.prototype;
      vi.spyOn(Weights.prototype, 'leaf').mockImplementation(function (this: Weights, planned) {
        const found = leaf.call(this, planned);
        return found && { ...found, weight: 1 };
      });
      vi.spyOn(Weights.prototype, 'range').mockImplementation(function (this: Weights, access) {
        return { ...range.call(this, access), weight: 1 };
      });
    },
    seenBy: ['flat: eq and eq', 'flat: eq and gt', 'flat: trees four deep', 'payload: eq and eq'],
  },
  {
    fault: 'there are no inner indexes',
    plant: () => void (planted.hasNoInner = true),
    seenBy: ['a grid of two eqs'],
  },
  {
    fault: 'the filter lets all hashes through',
    plant() {
      vi.spyOn(HashTable.prototype, 'mayHave').mockReturnValue(true);
      vi.spyOn(Filter.prototype, 'slideTo').mockImplementation((text, from, window) => {
        if (from < text.length) window.hash = slide(window.hash, window.shift, text.charCodeAt(from));
        return from + 1;
      });
    },
    seenBy: ['flat: contains', 'payload: starts_with', 'prefixes of lengths 1 to 2,000'],
  },
  {
    fault: 'an all is covered by its heaviest child',
    plant: () => void (planted.takesHeaviest = true),
    seenBy: ['flat: eq and gt', 'flat: trees four deep', 'payload: trees four deep'],
  },
  {
    fault: 'no rule is certain to match',
    plant() {
      const { next } = Candidates.prototype;
      vi.spyOn(Candidates.prototype, 'next').mockImplementation(function (this: Candidates) {
        const entry = next.call(this);
        return entry === null ? null : entryOf(offsetOfEntry(entry), false);
      });
    },
    seenBy: ['flat: eq', 'flat: range', 'flat: contains', 'payload: ends_with'],
  },
  {
    fault: 'texts are known by their first gram',
    plant: () => void vi.spyOn(GramCounts.prototype, 'of').mockReturnValue(0),
    seenBy: ['1,000 substrings aaa…, 64 KB of a'],
  },
  {
    fault: 'patterns are matched one by one',
    plant: () => void (planted.isOneByOne = true),
    seenBy: ['hits', 'misses', 'parsed: patterns on one path'],
  },
];

/** Fewer than the laws are meant for: these faults are seen as early. */
const MANY = 5_000;

const laws: readonly CostLaw[] = [
  ...[...flatLaws, ...parsedLaws, ...payloadLaws].map((law) => ({
    name: `${law.group}: ${law.shape}`,
    violations: () => shapeViolations(law, Math.min(law.many, MANY)),
  })),
  ...cliffLaws,
  ...patternLaws,
];

function lawNamed(name: string): CostLaw {
  const law = laws.find((law) => law.name === name);
  if (law === undefined) throw new Error(`no law ${name}`);
  return law;
}

/** Rules of all operators, and events that match some of them. */
const mixed = flatWorkloads.find(({ name }) => name === 'trees four deep')!;

describe.for(faults)('where $fault', ({ plant, seenBy }) => {
  test('rules decide as without an index', () => {
    plant();
    const { rules, texts } = mixed.make({ rules: 300, events: 50 });
    expectRight(rules, texts.map(parseEvent));
  });

  test.for(seenBy)('%s is beyond its bounds', (name) => {
    plant();
    expect(lawNamed(name).violations()).not.toEqual([]);
  });
});

// The other laws are held to without a fault by themselves; these here with fewer rules.
const shapes = new Set(
  [...flatLaws, ...parsedLaws, ...payloadLaws].map(({ group, shape }) => `${group}: ${shape}`),
);
const seen = new Set(faults.flatMap(({ seenBy }) => seenBy.filter((name) => shapes.has(name))));

test.for([...seen])('without a fault %s is within its bounds', (name) => {
  expect(lawNamed(name).violations()).toEqual([]);
});
