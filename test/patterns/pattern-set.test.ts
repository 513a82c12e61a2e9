/** Sets of patterns, held to their patterns one by one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compilePatternSet,
  Texts,
  type EngineProgram,
  type PatternEngine,
} from '../../src/patterns/index.js';
import { parsePattern } from '../../src/patterns/check.js';
import { Forest } from '../../src/patterns/set/forest.js';
import { TableBudget, type Evictable } from '../../src/patterns/set/table-budget.js';
import { wellFormed } from '../../src/patterns/well-formed.js';
import { anySubjects, numRuns, patterns } from './arbitraries.js';
import { vectors } from './conformance.js';
import { compilePattern, decidedUpTo } from './compile.js';
import { programOf, re2js } from './engines.js';

const programs = new Map<string, EngineProgram>();

/** Whether an engine finds a pattern; its program is made once. */
function engineFinds(source: string, subject: string): boolean {
  const program = programs.get(source) ?? programOf(re2js, source);
  programs.set(source, program);
  return program.test(wellFormed(subject));
}

/** The indexes of the patterns that an engine finds. */
function foundByEngine(sources: readonly string[], subject: string): number[] {
  return [...sources.keys()].filter((index) => engineFinds(sources[index] as string, subject));
}

/** The patterns that a forest finds, together with those of the ones that it leaves to be tested one by one. */
function foundIn(forest: Forest, sources: readonly string[], subject: string): number[] {
  const found = new Set<number>();
  const alone = forest.search(subject, (pattern) => found.add(pattern));
  for (const index of alone) {
    if (compilePattern(sources[index] as string).test(subject)) found.add(index);
  }
  return [...found].sort((a, b) => a - b);
}

const forestOf = (sources: readonly string[], budget: TableBudget): Forest =>
  new Forest(
    sources.map((source, pattern) => ({ pattern, tree: parsePattern(source).tree })),
    budget,
  );

const ignore = (): void => undefined;

/** Pseudo-random texts, always the same. */
function* textsOf(alphabet: string, length: number): Generator<string> {
  for (let seed = 1; ;) {
    let text = '';
    for (let i = 0; i < length; i++) {
      seed = (seed * 48271) % 0x7fffffff;
      text += alphabet.charAt(seed % alphabet.length);
    }
    yield text;
  }
}

/** Every letter makes a state of its own, for as long as the repetition is. */
const explosive = Array.from({ length: 40 }, (_, i) => `[a-c].{${8 + (i % 9)}}[x-z][0-${i % 10}]`);

describe('a set', () => {
  test('finds what an engine finds, pattern by pattern', () => {
    fc.assert(
      fc.property(
        fc.array(patterns, { maxLength: 40 }),
        fc.array(anySubjects, { minLength: 1, maxLength: 6 }),
        (sources, subjects) => {
          const set = compilePatternSet(sources.map((source) => compilePattern(source)));
          for (const subject of subjects) {
            expect(set.matching(subject)).toEqual(foundByEngine(sources, subject));
          }
        },
      ),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });

  test('finds what RE2 finds, as published', () => {
    for (const { subjects, cases } of vectors.groups) {
      const sources = Object.keys(cases);
      const set = compilePatternSet(sources.map((source) => compilePattern(source)));
      for (const [i, subject] of subjects.entries()) {
        const found = set.matching(subject) ?? [];
        for (const [index, source] of sources.entries()) {
          const vector = cases[source]?.[i];
          if (typeof vector === 'string') expect(found.includes(index), source).toBe(vector !== '');
        }
      }
    }
  });

  test.for([
    { source: '[0-9a-f]{40}', subject: `g${'0a'.repeat(20)}`, found: true },
    { source: '[0-9a-f]{40}', subject: `${'0a'.repeat(19)}gf0`, found: false },
    { source: '^[a-z]{33,}\\b', subject: `${'a'.repeat(40)}-`, found: true },
    { source: '^[a-z]{33,}\\b', subject: `${'a'.repeat(40)}1`, found: false },
    { source: '(?:[a-z]?[0-9]?){60}$', subject: '', found: true },
    { source: '(?:[a-z]{30}\\b[^a]?){2}c', subject: `${'b'.repeat(30)} ${'b'.repeat(30)} c`, found: true },
    { source: '(?:[a-z]{30}\\b[^a]?){2}c', subject: `${'b'.repeat(30)} ${'b'.repeat(29)} c`, found: false },
    { source: '(?:^|[^b])a{1,40}$', subject: 'baaa', found: true },
    { source: '\\A(?:b|a{2,40})\\z', subject: 'aaab', found: false },
    { source: '[a-z]{34}\\b..', subject: 'a'.repeat(36), found: false },
    { source: '[a-z]{34}\\b..', subject: `${'a'.repeat(34)}-a`, found: true },
    { source: '[a-z]{33}(?:0[0-9]|[1-9])x', subject: `${'a'.repeat(33)}5x`, found: true },
    { source: '^(?:[a-m]|[n-z]){20}$', subject: 'aaazz'.repeat(4), found: true },
    { source: '^(?:[a-m]|[n-z]){20}$', subject: 'aaazz'.repeat(5), found: false },
    { source: '[é-😀]{33}', subject: '\ud83d'.repeat(33), found: true },
  ])('finds $source, large as it is, in $subject: $found', ({ source, subject, found }) => {
    const set = compilePatternSet([compilePattern(source), compilePattern('[^y]\\pL')]);
    expect(set.matching(subject)?.includes(0)).toBe(found);
    expect(engineFinds(source, subject)).toBe(found);
  });

  test('may be empty, or hold a pattern twice', () => {
    expect(compilePatternSet([]).matching('x')).toEqual([]);
    expect(
      compilePatternSet(['x+', 'y', 'x+'].map((source) => compilePattern(source))).matching('x'),
    ).toEqual([0, 2]);
  });

  test('asks no budget', () => {
    const patterns = ['x+y', '[xy]z', '\\pL{3}'].map((source) => compilePattern(source, { budget: 1 }));
    expect(patterns[0]?.test('xyz')).toBe(undefined);
    expect(compilePatternSet(patterns).matching('xyz')).toEqual([0, 1, 2]);
  });

  test('is undecided where a pattern is: its engine fails', () => {
    const engine: PatternEngine = {
      ...re2js,
      compile() {
        throw new RangeError('out of memory');
      },
    };
    const set = compilePatternSet([compilePattern('x', { engine }), compilePattern('\\pLy', { engine })]);
    expect(set.matching('xy')).toBe(undefined);
    expect(set.matching('x')).toEqual([0]);
  });

  test('tells more characters apart than one automaton may', () => {
    const sources = Array.from({ length: 200 }, (_, i) =>
      Array.from({ length: 4 }, (_, j) => {
        const point = (0x4e00 + 9 * (4 * i + j)).toString(16);
        return `[\\x{${point}}\\x{1F600}]`;
      }).join('[^a]?'),
    );
    const set = compilePatternSet(sources.map((source) => compilePattern(source)));
    expect(set.matching('😀'.repeat(4))).toEqual([...sources.keys()]);
    const subject = [0, 1, 2, 3].map((j) => String.fromCodePoint(0x4e00 + 9 * (4 * 17 + j))).join('b');
    expect(set.matching(subject)).toEqual([17]);
  });
});

describe('the probe', () => {
  /** A letter, a number of this many digits, and so on: a thousand patterns that no literal tells apart. */
  const calm = Array.from(
    { length: 1000 },
    (_, i) =>
      `[A-${'BCDEFGHIJK'.charAt(i % 10)}][0-9]{${1 + (Math.floor(i / 10) % 10)}}[a-${'bcdefghijk'.charAt(Math.floor(i / 100))}]`,
  );

  /** Units read, over units of text, after the automata have seen texts of the kind. */
  function timesRead(sources: readonly string[], alphabet: string): number {
    const set = compilePatternSet(sources.map((source) => compilePattern(source)));
    const texts = textsOf(alphabet, 1000);
    for (let i = 0; i < 100; i++) set.matching(texts.next().value as string);
    const probe = { units: 0 };
    for (let i = 0; i < 10; i++) set.matching(texts.next().value as string, new Texts(probe));
    return probe.units / 10_000;
  }

  test('sees a thousand patterns read a text as often as ten: once', () => {
    expect(timesRead(calm.slice(0, 10), 'ABCab0123456789 ')).toBe(1);
    expect(timesRead(calm, 'ABCab0123456789 ')).toBe(1);
  });

  test('sees that one pattern that explodes leaves the others together', () => {
    const sources = [...calm, '[a-z].{20}[0-9]'];
    expect(timesRead(sources, 'ABCDEFGHIJKabcdefghijk0123456789')).toBeLessThan(35);
  });

  test('counts what a pattern reads by itself, and nothing where a text rules it out', () => {
    const probe = { units: 0 };
    const work = () => ({ left: Infinity, probe, texts: new Texts(probe) });
    compilePattern('[a-z][0-9]{3}').test('-'.repeat(300), work());
    expect(probe.units).toBe(300);
    compilePattern('sk_[0-9]').test('-'.repeat(300), work());
    expect(probe.units).toBe(600);
    compilePattern('sk_[0-9]').test('-'.repeat(256), work());
    expect(probe.units).toBe(600);
  });
});

describe('a forest', () => {
  test.for([{ bytes: 0 }, { bytes: 3000 }, { bytes: 40_000 }, { bytes: 1 << 25 }])(
    'finds what an engine finds on $bytes bytes, and holds no more',
    ({ bytes }) => {
      const budget = new TableBudget(bytes);
      const forest = forestOf(explosive, budget);
      const texts = textsOf('abcwxyz0123456789\n', 300);
      for (let i = 0; i < 40; i++) {
        const text = texts.next().value as string;
        expect(foundIn(forest, explosive, text)).toEqual(foundByEngine(explosive, text));
        expect(budget.bytes).toBeLessThanOrEqual(bytes);
      }
      forest.release();
      expect(budget.bytes).toBe(0);
    },
  );

  test('gives up on patterns that explode, and on no others', () => {
    const calm = Array.from({ length: 40 }, (_, i) => `[A-Z][0-9]{${1 + (i % 5)}}[B-F]`);
    const forest = forestOf([...explosive, ...calm], new TableBudget(1 << 25));
    const texts = textsOf('abcwxyz0123456789ABCD', 1 << 13);
    let alone: readonly number[] = [];
    for (let i = 0; i < 20; i++) alone = forest.search(texts.next().value as string, ignore);
    expect(alone.length).toBeGreaterThan(24);
    expect(alone.every((pattern) => pattern < 48)).toBe(true);
  });

  test('gives up before it has done much work', () => {
    const budget = new TableBudget(1 << 25);
    const forest = forestOf(explosive, budget);
    const texts = textsOf('abcwxyz0123456789', 1 << 16);
    for (let i = 0; i < 10; i++) forest.search(texts.next().value as string, ignore);
    // Two storeys of automata, each with a credit of 40 µs a pattern.
    expect(budget.work).toBeLessThan(explosive.length * 100_000);
  });

  test('tries again in the end, since texts change', () => {
    const forest = forestOf(explosive, new TableBudget(1 << 25));
    const texts = textsOf('abcwxyz0123456789', 1 << 14);
    while (forest.search(texts.next().value as string, ignore).length < explosive.length);
    const quiet = '-'.repeat(1 << 20);
    let searches = 0;
    while (forest.search(quiet, ignore).length > 0) searches++;
    expect(searches).toBeGreaterThan(10);
    expect(searches).toBeLessThan(20);
  });

  test('gives up its tables for another, and fills new ones', () => {
    const budget = new TableBudget(60_000);
    const calm = ['[a-c]+[0-9]', '[x-z]{2}[0-9]'];
    const other = ['[0-4]+[a-c]', '[5-9]{2}[x-z]'];
    const one = forestOf(calm, budget);
    const two = forestOf(other, budget);
    const texts = textsOf('abcwxyz0123456789', 500);
    for (let i = 0; i < 20; i++) {
      const text = texts.next().value as string;
      expect(foundIn(one, calm, text)).toEqual(foundByEngine(calm, text));
      expect(foundIn(two, other, text)).toEqual(foundByEngine(other, text));
    }
    const before = budget.bytes;
    expect(before).toBeGreaterThan(0);
    expect(budget.admits(60_000 - 100)).toBe(false);
    expect(budget.bytes).toBeLessThan(before);
    expect(budget.bytes).toBeGreaterThan(0);
    one.release();
    two.release();
    expect(budget.bytes).toBe(0);
    expect(foundIn(one, calm, 'ab1')).toEqual([0]);
  });
});

test('memory is taken from the owner used least recently, and no more of it than needed', () => {
  const budget = new TableBudget(100);
  const released: string[] = [];
  const owner = (name: string): Evictable => ({
    release() {
      released.push(name);
      budget.bytes -= 30;
    },
  });
  const [one, two, three] = [owner('one'), owner('two'), owner('three')];
  for (const used of [one, two, three, one]) budget.use(used);
  budget.bytes = 90;
  expect(budget.admits(10)).toBe(true);
  expect(released).toEqual([]);
  expect(budget.admits(40)).toBe(true);
  expect(released).toEqual(['two']);
  expect(budget.admits(90)).toBe(false);
  expect(released).toEqual(['two', 'three']);
});

describe('a pattern is decided', () => {
  test.for([
    { source: '[ab]+c?', options: { budget: 1000 }, length: 166 },
    { source: 'foo|ba[rz]', options: { budget: 1 }, length: Infinity },
    { source: '[ab]+', options: {}, length: 25_000_000 },
    { source: '[ab]+', options: { engine: { ...re2js, maxSubjectLength: 7 } }, length: 7 },
  ])('by $source with $options up to $length units', ({ source, options, length }) => {
    expect(decidedUpTo(compilePattern(source, options), options)).toBe(length);
  });

  test('up to there and no further', () => {
    const pattern = compilePattern('[ab]+c?', { budget: 1000 });
    const length = decidedUpTo(pattern, { budget: 1000 });
    expect(pattern.test('a'.padStart(length))).toBe(true);
    expect(pattern.test('a'.padStart(length + 1))).toBe(undefined);
  });
});
