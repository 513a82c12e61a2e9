/** JSON values. */
import type { Json } from '../../json.js';
import type { Arbitrary, FastCheck } from './fast-check.js';
import { characters, common, fragments, keys, numbers, numerals, words } from './pools.js';

type Scalar = null | boolean | number | string;

/** Arbitraries of values. */
export interface Values {
  /** Mostly short text, often equal to another draw, including lone surrogates. */
  readonly text: Arbitrary<string>;
  readonly number: Arbitrary<number>;
  readonly scalar: Arbitrary<Scalar>;
  /** Any value, with structures of up to three levels. */
  readonly json: Arbitrary<Json>;
  /** An object as JSON.parse makes it, in which `__proto__` is an ordinary key. */
  readonly members: Arbitrary<{ [key: string]: Json }>;
}

/** @param own - The host's values, which are drawn often. */
export function valueArbitraries(fc: FastCheck, own: readonly Json[]): Values {
  const text = withOwn(
    fc,
    own.filter((value) => typeof value === 'string'),
    textOf(fc),
  );
  const number = withOwn(
    fc,
    own.filter((value) => typeof value === 'number'),
    numberOf(fc),
  );
  const scalar = fc.oneof(
    { arbitrary: fc.constantFrom(...common), weight: 8 },
    { arbitrary: text, weight: 4 },
    { arbitrary: number, weight: 3 },
    { arbitrary: fc.constantFrom(null, true, false), weight: 1 },
  );
  const { json, members } = structuresOf(fc, withOwn(fc, own, scalar));
  return { text, number, scalar, json, members };
}

/** Three draws in four are from the host's values, if there are any. */
export const withOwn = <T>(fc: FastCheck, own: readonly T[], other: Arbitrary<T>): Arbitrary<T> =>
  own.length === 0
    ? other
    : fc.oneof({ arbitrary: fc.constantFrom(...own), weight: 3 }, { arbitrary: other, weight: 1 });

const textOf = (fc: FastCheck): Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...words, ...numerals) },
    { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom(...characters), maxLength: 6 }) },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...fragments), minLength: 1, maxLength: 4 }) },
  );

const numberOf = (fc: FastCheck): Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(...numbers),
    fc.integer({ min: -3, max: 9 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );

function structuresOf(fc: FastCheck, scalar: Arbitrary<Json>): Pick<Values, 'json' | 'members'> {
  const membersOf = (value: Arbitrary<Json>): Values['members'] =>
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...keys), value), { selector: ([key]) => key, maxLength: 4 })
      .map((entries) => Object.fromEntries(entries));
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { arbitrary: scalar, weight: 3 },
      { arbitrary: fc.array(tie('json'), { maxLength: 3 }), weight: 1 },
      { arbitrary: membersOf(tie('json')), weight: 1 },
    ),
  }));
  return { json, members: membersOf(json) };
}
