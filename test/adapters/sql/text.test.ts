/** Ids in text columns. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { restored, storable, successor } from '../../../src/adapters/sql/text.js';

const text = () =>
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('\0', '\\', 'u0000', '\ud800', '\udc00', 'a', 'ü'), { maxLength: 8 })
      .map((all) => all.join('')),
  );

describe('any text', () => {
  test('comes back from a column as it was', () => {
    fc.assert(fc.property(text(), (any) => restored(storable(any)) === any));
  });

  test('is stored in what every database holds: no NUL, no half of a character', () => {
    fc.assert(
      fc.property(text(), (any) => {
        expect(storable(any)).not.toContain('\0');
        expect(Buffer.from(storable(any)).toString()).toBe(storable(any));
      }),
    );
  });

  test('that is plain is stored as it is', () => {
    fc.assert(fc.property(fc.stringMatching(/^[\w:~. -]*$/), (plain) => storable(plain) === plain));
  });

  test('joined is stored as its parts are', () => {
    const part = fc.string({ unit: 'grapheme' });
    fc.assert(fc.property(part, part, (a, b) => storable(`${a}:${b}`) === `${storable(a)}:${storable(b)}`));
  });

  test('has nothing stored between it and its successor', () => {
    fc.assert(
      fc.property(text(), text(), (a, b) => {
        const [one, other] = [Buffer.from(storable(a)), Buffer.from(storable(b))];
        const next = Buffer.from(successor(storable(a)));
        return (
          Buffer.compare(one, next) < 0 &&
          (Buffer.compare(other, one) <= 0 || Buffer.compare(other, next) >= 0)
        );
      }),
    );
  });
});
