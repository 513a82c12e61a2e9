/** Numbers that a double does not hold: found in a text by their pointers. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digitsBelow, exactDigits } from '../../dashboard/words/exact-digits.js';
import { jsonLines } from '../../dashboard/words/json-view.js';

const LONG = ['12345678901234567890', '-9007199254740993', '0.1234567890123456789', '1e-400', '1.2e400'];

describe('numbers that a double does not hold', () => {
  test.for(LONG)('%s keeps its digits', (written) => {
    expect([...exactDigits(`{"a":[0,{"b/~c":${written}}]}`)]).toEqual([['/a/1/b~1~0c', written]]);
    expect([...exactDigits(written)]).toEqual([['', written]]);
  });

  test.for([
    '1',
    '-0',
    '0.1',
    '1.50',
    '9007199254740992',
    '1e21',
    '100000000000000000000',
    '"12345678901234567890"',
  ])('%s is as it is read', (written) => {
    expect(exactDigits(`[${written}]`).size).toBe(0);
  });

  test('each is found where it stands, whatever stands around it', () => {
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom('a/b', '~', '"', '\\', '{', '1', ',', '12345678901234567890'),
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(...LONG.map((digits) => ({ digits }))),
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('tree'), { maxLength: 4 }).map((items) => ({ items })),
        fc
          .uniqueArray(fc.tuple(key, tie('tree')), { maxLength: 4, selector: ([name]) => name })
          .map((members) => ({ members })),
      ),
    }));
    fc.assert(
      fc.property(tree, (made) => {
        const expected: [string, string][] = [];
        const print = (one: unknown, at: string): string => {
          const { digits, items, members } = Object(one) as Made;
          if (typeof digits === 'string') {
            expected.push([at, digits]);
            return digits;
          }
          if (items !== undefined) {
            return `[${items.map((item, i) => print(item, `${at}/${i}`)).join(', ')}]`;
          }
          if (members === undefined) return JSON.stringify(plain(one));
          const parts = members.map(([name, member]) => {
            const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
            return `${JSON.stringify(name)} : ${print(member, pointer)}`;
          });
          return `{ ${parts.join(',')} }`;
        };
        const text = print(made, '');
        expect(exactDigits(text)).toEqual(new Map(expected));
        // The lines of a tree show them.
        const shown = jsonLines(JSON.parse(text) as unknown, { digits: exactDigits(text) });
        for (const [pointer, digits] of expected) {
          expect(shown.find((line) => line.pointer === pointer)?.text).toBe(digits);
        }
      }),
    );
  });

  test('those below a pointer have their pointers from there', () => {
    const digits = new Map([
      ['/data/a', '1'],
      ['/data', '2'],
      ['/database', '3'],
    ]);
    expect(digitsBelow(digits, '/data')).toEqual(
      new Map([
        ['/a', '1'],
        ['', '2'],
      ]),
    );
  });

  test('a text of any depth is read', () => {
    const depth = 100_000;
    const text = `${'['.repeat(depth)}12345678901234567890${']'.repeat(depth)}`;
    expect(exactDigits(text)).toEqual(new Map([['/0'.repeat(depth), '12345678901234567890']]));
  });
});

interface Made {
  readonly digits?: unknown;
  readonly items?: readonly unknown[];
  readonly members?: readonly (readonly [string, unknown])[];
}

/** Keeps only its short numbers. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'number' ? Math.trunc(one) % 1_000_000 : one)),
  ) as unknown;
