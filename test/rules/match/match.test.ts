/** Programs decide as trees do, and visit the leaves that short-circuit evaluation visits. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileMatch, explainMatch, type Json, type Leaf, type Match } from '../../../src/index.js';

/** Leaves `data.0` … `data.7`, each true or false as the event has it. */
const leaf = fc.integer({ min: 0, max: 7 }).map((i): Leaf => ({ path: `data.k${i}`, op: 'eq', value: true }));
const tree = fc.letrec<{ node: Match }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('node'), { minLength: 1, maxLength: 4 }).map((all) => ({ all })),
    fc.array(tie('node'), { minLength: 1, maxLength: 4 }).map((any) => ({ any })),
  ),
})).node;
const flags = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
const eventOf = (flags: readonly boolean[]) => ({
  data: Object.fromEntries(flags.map((flag, i) => [`k${i}`, flag])),
});

/** Evaluates as the definition says, and notes each leaf it comes to. */
function plainly(match: Match, event: unknown, reached: Leaf[] = []): boolean {
  if ('all' in match) return match.all.every((child) => plainly(child, event, reached));
  if ('any' in match) return match.any.some((child) => plainly(child, event, reached));
  reached.push(match);
  return (event as { data: Record<string, Json> }).data[match.path.slice(5)] === match.value;
}

const negated = (match: Match): Match => {
  if ('all' in match) return { any: match.all.map(negated) };
  if ('any' in match) return { all: match.any.map(negated) };
  return { path: match.path, op: 'neq', value: match.value as Json };
};

describe('match trees', () => {
  test('a program decides as the tree does', () => {
    fc.assert(
      fc.property(tree, flags, (match, flags) => {
        expect(compileMatch(match)(eventOf(flags))).toBe(plainly(match, eventOf(flags)));
      }),
      { numRuns: 2_000 },
    );
  });

  test('De Morgan: where all paths are present, negating every leaf and swapping the groups negates the match', () => {
    fc.assert(
      fc.property(tree, flags, (match, flags) => {
        expect(compileMatch(negated(match))(eventOf(flags))).toBe(!compileMatch(match)(eventOf(flags)));
      }),
    );
  });

  test('a group of one is its child', () => {
    fc.assert(
      fc.property(tree, flags, (match, flags) => {
        const event = eventOf(flags);
        expect(compileMatch({ all: [{ any: [match] }] })(event)).toBe(compileMatch(match)(event));
      }),
    );
  });
});

describe('explainMatch', () => {
  test('lists every leaf in document order, and as reached exactly those that short-circuit evaluation reaches', () => {
    const leavesOf = (match: Match): Leaf[] =>
      'all' in match ? match.all.flatMap(leavesOf) : 'any' in match ? match.any.flatMap(leavesOf) : [match];
    fc.assert(
      fc.property(tree, flags, (match, flags) => {
        const event = eventOf(flags);
        const reached: Leaf[] = [];
        const matched = plainly(match, event, reached);
        const trace = explainMatch(match, event);
        expect(trace.matched).toBe(matched);
        expect(trace.leaves.map(({ path }) => path)).toEqual(leavesOf(match).map(({ path }) => path));
        const visited = trace.leaves.filter(({ result }) => result !== 'not_reached');
        expect(visited.map(({ path, result }) => [path, result])).toEqual(
          reached.map(({ path }) => [path, flags[Number(path.slice(6))] ? 'held' : 'not_held']),
        );
      }),
    );
  });

  test('pointers lead to the leaves', () => {
    const at = (match: unknown, pointer: string): unknown =>
      pointer
        .split('/')
        .slice(1)
        .reduce((node, key) => (node as Record<string, unknown>)[key], match);
    fc.assert(
      fc.property(tree, (match) => {
        for (const { pointer, path } of explainMatch(match, {}).leaves) {
          expect(at(match, pointer)).toMatchObject({ path });
        }
      }),
    );
  });

  test('says what each leaf asked and what the event had there', () => {
    const match: Match = {
      all: [
        { path: 'data.n', op: 'gt', value: 5 },
        { path: 'data.none', op: 'missing' },
        { path: 'data.a', op: 'eq', value: 'x' },
        { path: 'data.n', op: 'exists' },
      ],
    };
    expect(explainMatch(match, { data: { n: 6, a: null } })).toEqual({
      matched: false,
      leaves: [
        { pointer: '/all/0', path: 'data.n', op: 'gt', value: 5, present: true, actual: 6, result: 'held' },
        {
          pointer: '/all/1',
          path: 'data.none',
          op: 'missing',
          present: false,
          actual: undefined,
          result: 'held',
        },
        {
          pointer: '/all/2',
          path: 'data.a',
          op: 'eq',
          value: 'x',
          present: true,
          actual: null,
          result: 'not_held',
        },
        { pointer: '/all/3', path: 'data.n', op: 'exists', present: true, actual: 6, result: 'not_reached' },
      ],
    });
  });

  test('leaves out a value that the operator ignores', () => {
    const leaf = (op: 'exists' | 'missing'): Match => ({ path: 'a', op, value: true });
    for (const op of ['exists', 'missing'] as const) {
      expect(Object.keys(explainMatch(leaf(op), {}).leaves[0] ?? {})).not.toContain('value');
    }
  });

  test('a bare leaf stands at the root', () => {
    const trace = explainMatch({ path: 'a', op: 'exists' }, {});
    expect(trace.leaves.map(({ pointer }) => pointer)).toEqual(['']);
  });

  test('a pattern that met its budget is undecided', () => {
    const options = { patterns: { budget: 10 } };
    for (const op of ['matches', 'not_matches'] as const) {
      const match: Match = { path: 'data.a', op, value: '[ab]+c' };
      const event = { data: { a: 'abababababcab' } };
      expect(explainMatch(match, event, options)).toMatchObject({
        matched: false,
        leaves: [{ result: 'undecided' }],
      });
      expect(compileMatch(match, options)(event)).toBe(false);
    }
  });
});
