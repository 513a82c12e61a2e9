/** Paths, leaves and match trees. */
import type { Json } from '../../json.js';
import {
  formOf,
  ignoresValue,
  operatorNames,
  takesPattern,
  type ValueSchema,
} from '../../rules/operators/index.js';
import { escapeKey } from '../../rules/path.js';
import type { Leaf, Match } from '../../rules/rule.js';
import type { Arbitrary, FastCheck } from './fast-check.js';
import { keys, likelyPaths, otherPaths } from './pools.js';
import { withOwn, type Values } from './values.js';

/** Arbitraries of match trees and their parts. */
export interface Matches {
  /** A path of a leaf. */
  readonly path: Arbitrary<string>;
  /** A path of a transform: under `data.`. */
  readonly dataPath: Arbitrary<string>;
  /** Leaves with all operators, each about as often as the others. */
  readonly leaf: Arbitrary<Leaf>;
  readonly match: Arbitrary<Match>;
}

/** @param own - The host's paths, which are drawn often. */
export function matchArbitraries(
  fc: FastCheck,
  values: Values,
  pattern: Arbitrary<string>,
  own: readonly string[],
): Matches {
  const dataPath = withOwn(
    fc,
    own.filter((path) => path.startsWith('data.')),
    dataPathOf(fc),
  );
  const elsewhere = { arbitrary: fc.constantFrom(...otherPaths), weight: 1 };
  const path = withOwn(fc, own, fc.oneof({ arbitrary: dataPathOf(fc), weight: 8 }, elsewhere));
  const leaf = leafOf(fc, values, pattern, path);
  return { path, dataPath, leaf, match: treeOf(fc, leaf) };
}

function dataPathOf(fc: FastCheck): Arbitrary<string> {
  const odd = fc
    .array(fc.constantFrom('a', 'b', '*', ...keys.map(escapeKey)), { minLength: 1, maxLength: 3 })
    .map((segments) => ['data', ...segments].join('.'));
  return fc.oneof({ arbitrary: fc.constantFrom(...likelyPaths), weight: 2 }, { arbitrary: odd, weight: 1 });
}

function leafOf(
  fc: FastCheck,
  values: Values,
  pattern: Arbitrary<string>,
  path: Arbitrary<string>,
): Arbitrary<Leaf> {
  const leaves = operatorNames.map((op) => {
    const named = { path, op: fc.constant(op) };
    if (ignoresValue(op)) return fc.record(named);
    const value = takesPattern(op) ? pattern : valueOf(fc, values, formOf(op).value);
    return fc.record({ ...named, value });
  });
  return fc.oneof(...leaves) as Arbitrary<Leaf>;
}

/** Values that a schema allows. */
function valueOf(fc: FastCheck, { json, text, number }: Values, schema: ValueSchema): Arbitrary<Json> {
  const { minimum: min = -9, maximum: max = 99 } = schema;
  const byType: Readonly<Record<string, Arbitrary<Json>>> = {
    any: json,
    array: fc.array(json, { maxLength: 4 }),
    boolean: fc.boolean(),
    integer: fc.integer({ min, max }),
    number,
    string: text,
  };
  return fc.oneof(...[schema.type ?? 'any'].flat().map((type) => byType[type] as Arbitrary<Json>));
}

/** Trees of leaves: a single leaf, flat groups, and nested groups. */
export const treeOf = (fc: FastCheck, leaf: Arbitrary<Leaf>): Arbitrary<Match> =>
  fc.letrec<{ node: Match; children: readonly Match[] }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 6, depthSize: 'small' },
      { arbitrary: leaf, weight: 3 },
      { arbitrary: tie('children').map((all) => ({ all })), weight: 1 },
      { arbitrary: tie('children').map((any) => ({ any })), weight: 1 },
    ),
    children: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
  })).node;
