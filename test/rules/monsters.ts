/**
 * Rules that somebody might save who means harm: valid, and of any size, each shape the worst case of some step between
 * saving a rule and the first event. Made without randomness.
 */
import type { Action, Json, Leaf, Match, Rule, TransformOp } from '../../src/index.js';
import { stringifyJson } from '../../src/json-text.js';

/** Rules of one shape. */
export interface Monster {
  readonly name: string;
  /** Rules whose JSON text has about this many bytes. */
  rules(bytes: number): readonly Rule[];
}

const tag: Action = { type: 'tag', tags: ['seen'] };
const drop: Action = { type: 'drop' };

const ruleOf = (nth: number, match: Match, action: Action = tag): Rule => ({
  id: `rule ${String(nth).padStart(7, '0')}`,
  name: 'Monster',
  stage: 'deliver',
  match,
  action,
  priority: 0,
});

/** Bytes of a rule around its match and action. */
const FRAME = JSON.stringify(ruleOf(0, { all: [] })).length - '{"all":[]}'.length;

const sizeOf = (value: object | number | string): number =>
  typeof value === 'object' ? stringifyJson(value).length : String(value).length;

/** Parts, until they take up this many bytes. */
function fill<T extends object | number | string>(bytes: number, make: (nth: number) => T): T[] {
  const parts: T[] = [];
  for (let left = bytes; left > 0 || parts.length === 0;) {
    const part = make(parts.length);
    left -= sizeOf(part) + 1;
    parts.push(part);
  }
  return parts;
}

const manyRules = (
  name: string,
  match: (nth: number) => Match,
  action?: (nth: number) => Action,
): Monster => ({
  name,
  rules: (bytes) => fill(bytes, (nth) => ruleOf(nth, match(nth), action?.(nth))),
});

/** A number of rules, each a group of as many children as fit. */
const wide = (name: string, rules: number, group: 'all' | 'any', child: (nth: number) => Match): Monster => ({
  name: `${name}, ${rules} ${rules === 1 ? 'rule' : 'rules'}`,
  rules: (bytes) =>
    Array.from({ length: rules }, (_, nth) => {
      const children = fill(bytes / rules - FRAME, child);
      return ruleOf(nth, group === 'all' ? { all: children } : { any: children });
    }),
});

const one = (name: string, match: (bytes: number) => Match): Monster => ({
  name,
  rules: (bytes) => [ruleOf(0, match(bytes - FRAME))],
});

/** A tree of `all` and `any` by turns, each with a leaf beside what is deeper. */
function deep(bytes: number, leaf: (nth: number) => Leaf): Match {
  const leaves = fill(bytes * 0.7, leaf);
  return leaves.reduce<Match>(
    (tree, sibling, nth) => (nth % 2 === 0 ? { all: [sibling, tree] } : { any: [tree, sibling] }),
    leaf(0),
  );
}

const eq = (path: string, value: Json): Leaf => ({ path, op: 'eq', value });
const pathOf = (nth: number): string => `data.p${nth}`;

/** A text with a letter for each digit of a number in base 26. */
const word = (nth: number, length: number): string =>
  Array.from({ length }, (_, digit) => String.fromCharCode(97 + (Math.floor(nth / 26 ** digit) % 26))).join(
    '',
  );

/** Distinct patterns of 200 characters. */
const patterns: Readonly<Record<string, (nth: number) => string>> = {
  classes: (nth) => `${word(nth, 4)}[^${word(nth, 3)}]*`.repeat(17),
  properties: (nth) => `${word(nth, 4)}${'\\pL\\PN'.repeat(29)}`,
  'folded letters': (nth) => `(?i)${word(nth, 4)}${'[s-ſé]'.repeat(29)}`,
  repetition: (nth) => `${word(nth, 4)}(?:[ab]{9}c){99}`,
  groups: (nth) => `${word(nth, 4)}${'('.repeat(80)}a${')'.repeat(80)}`,
  choices: (nth) => `(?:${word(nth, 4)}|${'a|b|'.repeat(40)}c)*`,
  optionals: (nth) => `${word(nth, 4)}${'(?:a?b?)?'.repeat(20)}x`,
  quoted: (nth) => `\\Q${word(nth, 4)}${'.'.repeat(180)}\\E`,
};

const longValue = (bytes: number): Json => Array.from({ length: bytes / 4 }, (_, i) => i % 100);
const deepValue = (bytes: number): Json => {
  let value: Json = 1;
  for (let i = 0; i < bytes / 6; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Ways to write the same number. */
const spelling = (nth: number): number | string =>
  nth % 3 === 0
    ? nth % 99
    : nth % 3 === 1
      ? `${nth % 99}.${'0'.repeat(nth % 50 || 1)}`
      : `${nth % 99}e${'0'.repeat((nth % 50) + 1)}`;

const setting = (bytes: number, value: (bytes: number) => Json): TransformOp[] =>
  Array.from({ length: 100 }, (_, i) => ({ op: 'set', path: `data.p${i}`, value: value(bytes / 100 - 40) }));

/** The worst that is known of every step. */
export const monsters: readonly Monster[] = [
  manyRules('a leaf each, of one value', () => eq('type', 'push')),
  manyRules('a leaf each, of many values', (nth) => eq('type', `push ${nth}`)),
  manyRules('a leaf each, of many paths', (nth) => eq(pathOf(nth), 1)),
  manyRules('one value and many that no index finds', (nth) => ({
    all: [
      eq('type', 'push'),
      ...fill(400, (i) => ({ path: pathOf((nth + i) % 50), op: 'neq', value: i }) as const),
    ],
  })),
  manyRules('five values that all rules share', (nth) => ({
    all: [0, 1, 2, 3, 4].map((digit) => eq(pathOf(digit), Math.floor(nth / 3 ** digit) % 3)),
  })),
  manyRules(
    'drops of one value and one prefix',
    (nth) => ({
      all: [eq('type', 'push'), { path: 'data.ref', op: 'starts_with', value: `v${nth}/` }],
    }),
    () => drop,
  ),
  manyRules(
    'drops by their last leaf alone',
    (nth) => ({
      all: [
        ...Array.from({ length: 12 }, (_, index) => ({ path: pathOf(index), op: 'exists' }) as const),
        eq('data.last', nth),
      ],
    }),
    () => drop,
  ),
  wide('an any of values', 1, 'any', (nth) => eq('type', `push ${nth}`)),
  wide('an any of paths', 1, 'any', (nth) => eq(pathOf(nth), 1)),
  wide('an all of paths', 1, 'all', (nth) => eq(pathOf(nth), 1)),
  wide('an all of one path', 1, 'all', (nth) => ({ path: 'data.a', op: 'neq', value: nth })),
  wide('an all of texts', 1, 'all', (nth) => ({ path: 'data.a', op: 'contains', value: word(nth, 4) })),
  ...[1, 20, 500].map((rules) =>
    wide('an any of alls of neq and exists on shared paths', rules, 'any', (nth) => ({
      all: [
        { path: pathOf(nth % 50), op: 'neq', value: nth },
        { path: pathOf((nth + 7) % 50), op: 'exists' },
      ],
    })),
  ),
  wide('an any of alls of values on shared paths', 20, 'any', (nth) => ({
    all: [eq(pathOf(nth % 10), 1), eq(pathOf((nth + 3) % 10), 2), { path: pathOf(nth % 50), op: 'missing' }],
  })),
  wide('an all of anys on shared paths', 20, 'all', (nth) => ({
    any: [eq(pathOf(nth % 50), nth), { path: pathOf((nth + 7) % 50), op: 'neq', value: 1 }],
  })),
  wide('an all of anys that exclude each other', 20, 'all', (nth) => ({
    any: [0, 1, 2, 3, 4].map((i) => eq(pathOf((nth + i) % 12), nth)),
  })),
  one('a deep tree of values', (bytes) => deep(bytes, (nth) => eq('data.a', nth))),
  one('a deep tree of paths', (bytes) => deep(bytes, (nth) => eq(pathOf(nth), 1))),
  one('a deep tree of neq', (bytes) => deep(bytes, (nth) => ({ path: 'data.a', op: 'neq', value: nth }))),
  {
    name: 'deep trees of neq and exists on shared paths, 20 rules',
    rules: (bytes) =>
      Array.from({ length: 20 }, (_, i) =>
        ruleOf(
          i,
          deep(bytes / 20, (nth) =>
            nth % 2 === 0
              ? { path: pathOf(nth % 50), op: 'exists' }
              : { path: pathOf(nth % 50), op: 'neq', value: nth },
          ),
        ),
      ),
  },
  one('a list of numbers spelled in many ways', (bytes) => ({
    path: 'data.a',
    op: 'in',
    value: fill(bytes, spelling),
  })),
  one('a list of numbers', (bytes) => ({ path: 'data.a', op: 'in', value: fill(bytes, (nth) => nth) })),
  one('a list of structures', (bytes) => ({
    path: 'data.a',
    op: 'in',
    value: fill(bytes, (nth) => ({ k: nth })),
  })),
  one('a list of equal structures', (bytes) => ({
    path: 'data.a',
    op: 'in',
    value: fill(bytes, () => ({ k: [1] })),
  })),
  wide('an all of lists', 1, 'all', (nth) => ({
    path: 'data.a',
    op: 'in',
    value: Array.from({ length: 200 }, (_, i) => nth + i),
  })),
  manyRules('lists of long members beside patterns and ends', (nth) => ({
    all: [
      {
        path: 'data.a',
        op: 'in',
        value: Array.from({ length: 16 }, (_, i) => `${nth} ${i} ${'ab'.repeat(500)}`),
      },
      ...Array.from(
        { length: 10 },
        (_, i) => ({ path: 'data.a', op: 'not_matches', value: `[ab]*a[ab]{${50 + i}}[^ab]` }) as const,
      ),
      ...Array.from(
        { length: 20 },
        (_, i) => ({ path: 'data.a', op: 'ends_with', value: 'b'.repeat(i % 2) }) as const,
      ),
    ],
  })),
  one('a list of long members beside patterns', (bytes) => ({
    all: [
      {
        path: 'data.a',
        op: 'in',
        value: Array.from({ length: 200 }, (_, i) => `${'ab'.repeat(bytes / 450)}${i}`),
      },
      ...Array.from(
        { length: 15 },
        (_, i) => ({ path: 'data.a', op: 'not_matches', value: `[ab]*a[ab]{${i + 1}}[^ab]` }) as const,
      ),
    ],
  })),
  one('long texts that must and must not occur', (bytes) => ({
    all: [
      { path: 'data.a', op: 'contains', value: 'a'.repeat(bytes / 2) },
      ...Array.from(
        { length: 14 },
        (_, i) =>
          ({
            path: 'data.a',
            op: 'not_contains',
            value: `${'a'.repeat(bytes / 64)}${i}${'a'.repeat(bytes / 64)}`,
          }) as const,
      ),
    ],
  })),
  manyRules('long texts with a long beginning in common', (nth) => ({
    path: 'data.a',
    op: 'gt',
    value: 'a'.repeat(2_000) + String(nth),
  })),
  manyRules('ranges of long texts', (nth) => ({
    all: [
      { path: 'data.a', op: 'gt', value: 'a'.repeat(2_000) + String(nth) },
      { path: 'data.a', op: 'lt', value: 'a'.repeat(2_000) + String(nth + 5) },
    ],
  })),
  manyRules('beginnings of every length', (nth) => ({
    path: 'data.a',
    op: 'starts_with',
    value: 'a'.repeat(nth + 1),
  })),
  manyRules('ends of every length', (nth) => ({
    path: 'data.a',
    op: 'ends_with',
    value: 'a'.repeat(nth + 1),
  })),
  manyRules('texts of every length', (nth) => ({
    path: 'data.a',
    op: 'contains',
    value: 'a'.repeat(nth + 1),
  })),
  manyRules('ranges', (nth) => ({
    all: [
      { path: 'data.n', op: 'gt', value: nth },
      { path: 'data.n', op: 'lt', value: nth + 50 },
    ],
  })),
  wide('ranges', 20, 'any', (nth) => ({
    all: [
      { path: 'data.n', op: 'gt', value: nth },
      { path: 'data.n', op: 'lt', value: nth + 50 },
    ],
  })),
  ...[1, 20].map((rules) =>
    wide('an all of bounds on one path', rules, 'all', (nth) => ({
      path: 'data.n',
      op: nth % 2 === 0 ? 'gt' : 'lt',
      value: nth,
    })),
  ),
  one('a value that is long', (bytes) => eq('data.a', longValue(bytes * 1.4))),
  one('a value that is deep', (bytes) => eq('data.a', deepValue(bytes))),
  wide('values that are deep', 20, 'any', (nth) => eq('data.a', deepValue(400 * (nth % 20)))),
  one('a path that is long', (bytes) => ({ path: `data${'.a'.repeat(bytes / 2)}`, op: 'exists' })),
  manyRules('paths of every length', (nth) => ({ path: `data${'.a'.repeat(nth)}`, op: 'exists' })),
  manyRules('long paths that part at the end', (nth) => ({
    path: `data${'.a'.repeat(200)}.p${nth}`,
    op: 'exists',
  })),
  wide('an all of long paths', 1, 'all', (nth) => ({
    path: `data${'.a'.repeat(nth % 400)}`,
    op: nth % 2 === 0 ? 'neq' : 'exists',
    value: 1,
  })),
  ...Object.entries(patterns).map(([name, pattern]) =>
    manyRules(`patterns of ${name}`, (nth) => ({ path: 'data.a', op: 'matches', value: pattern(nth) })),
  ),
  wide('an any of patterns', 1, 'any', (nth) => ({
    path: 'data.a',
    op: 'matches',
    value: patterns.classes!(nth),
  })),
  wide('an all of not_matches', 1, 'all', (nth) => ({
    path: pathOf(nth),
    op: 'not_matches',
    value: patterns.repetition!(nth),
  })),
  {
    name: 'values to set that are long',
    rules: (bytes) => [
      ruleOf(0, eq('type', 'push'), { type: 'transform', ops: setting(bytes * 1.4, longValue) }),
    ],
  },
  {
    name: 'values to set that are deep',
    rules: (bytes) => [ruleOf(0, eq('type', 'push'), { type: 'transform', ops: setting(bytes, deepValue) })],
  },
  manyRules(
    'a hundred ops each',
    () => eq('type', 'push'),
    (nth) => ({
      type: 'transform',
      ops: Array.from({ length: 100 }, (_, i) => ({
        op: 'redact',
        path: 'data.a',
        regex: patterns.classes!(nth + i),
        replace: '',
      })),
    }),
  ),
  manyRules(
    'a thousand endpoints each',
    () => eq('type', 'push'),
    (nth) => ({
      type: 'route_only',
      endpoint_ids: Array.from(
        { length: 1_000 },
        (_, i) => `3f0b2c1e-5d7a-4c8e-9b1f-${String(nth * 1_000 + i).padStart(12, '0')}`,
      ),
    }),
  ),
  manyRules(
    'fifty tags each',
    () => eq('type', 'push'),
    (nth) => ({
      type: 'tag',
      tags: Array.from({ length: 50 }, (_, i) => `${'t'.repeat(90)}${nth}${i}`),
    }),
  ),
];
