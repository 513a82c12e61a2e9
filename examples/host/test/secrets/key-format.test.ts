/** Keys: their entropy, their checksum, and what is kept of them. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  equalSecrets,
  hashKey,
  KEY_KINDS,
  kindOfKey,
  lastFour,
  looksLikeKey,
  newKey,
} from '../../src/secrets/key-format.js';

const kinds = () => fc.constantFrom(...KEY_KINDS);
const seeds = () => fc.uint8Array({ minLength: 32, maxLength: 32 });
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 bit by bit, as its definition has it. */
function plainCrc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** The number that base62 digits spell. */
const valueOf = (digits: string): bigint =>
  [...digits].reduce((value, digit) => value * 62n + BigInt(ALPHABET.indexOf(digit)), 0n);

describe('newKey', () => {
  test('spells all 256 bits, and the CRC-32 of what precedes it', () => {
    fc.assert(
      fc.property(kinds(), seeds(), (kind, seed) => {
        const key = newKey(kind, () => seed);
        const [, prefix = '', secret = '', sum = ''] = /^(hg_[a-z]+_)(.{43})(.{6})$/.exec(key) ?? [];
        expect(prefix).toBe(`hg_${kind}_`);
        expect(valueOf(secret)).toBe(BigInt(`0x${Buffer.from(seed).toString('hex')}`));
        expect(valueOf(sum)).toBe(BigInt(plainCrc32(prefix + secret)));
      }),
    );
  });

  test('the least and the greatest secret have the same length', () => {
    const least = newKey('key', (length) => new Uint8Array(length));
    const greatest = newKey('key', (length) => new Uint8Array(length).fill(0xff));
    expect(least).toHaveLength(56);
    expect(greatest).toHaveLength(56);
    expect(least).toContain('_0000000000000000000000000000000000000000000');
  });

  test('asks for 32 bytes of the system, another 32 each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newKey('key'))).size).toBe(100);
    const asked: number[] = [];
    newKey('ses', (length) => (asked.push(length), new Uint8Array(length)));
    expect(asked).toEqual([32]);
  });
});

describe('looksLikeKey', () => {
  test('holds for every new key, of its own kind and of none other', () => {
    fc.assert(
      fc.property(kinds(), kinds(), seeds(), (kind, other, seed) => {
        const key = newKey(kind, () => seed);
        expect(kindOfKey(key)).toBe(kind);
        expect(looksLikeKey(key)).toBe(true);
        expect(looksLikeKey(key, other)).toBe(kind === other);
      }),
    );
  });

  test('a key with one character changed is invalid', () => {
    fc.assert(
      fc.property(
        kinds(),
        seeds(),
        fc.nat(60),
        fc.constantFrom(...ALPHABET, ' ', '-'),
        (kind, seed, at, to) => {
          const key = newKey(kind, () => seed);
          fc.pre(at < key.length && key[at] !== to);
          expect(looksLikeKey(key.slice(0, at) + to + key.slice(at + 1))).toBe(false);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('a key of one kind does not become one of another by its prefix', () => {
    const key = newKey('ses');
    expect(looksLikeKey(key.replace('hg_ses_', 'hg_key_'))).toBe(false);
  });

  test('other texts are invalid', () => {
    const key = newKey('key');
    const others = [
      '',
      'hg_key_',
      `${key}\n`,
      ` ${key}`,
      key.slice(0, -1),
      `${key}0`,
      `Bearer ${key}`,
      key.toUpperCase(),
    ];
    for (const other of others) expect([other, looksLikeKey(other)]).toEqual([other, false]);
    fc.assert(fc.property(fc.string(), (text) => !looksLikeKey(text)));
  });

  test('a key with an unknown prefix is invalid, even if its checksum is right', () => {
    const unsummed = `hg_live_${'0'.repeat(43)}`;
    let [sum, rest] = ['', plainCrc32(unsummed)];
    for (; sum.length < 6; rest = Math.floor(rest / 62)) sum = ALPHABET.charAt(rest % 62) + sum;
    expect(kindOfKey(unsummed + sum)).toBe(null);
  });
});

test('what is stored of a key is its SHA-256 and its last four characters', () => {
  fc.assert(
    fc.property(seeds(), (seed) => {
      const key = newKey('key', () => seed);
      expect(hashKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
      expect(key.endsWith(lastFour(key))).toBe(true);
      expect(lastFour(key)).toHaveLength(4);
    }),
  );
});

describe('equalSecrets', () => {
  test('is equality of texts that are not empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(equalSecrets(a, b)).toBe(a === b && a !== '');
        expect(equalSecrets(a, a)).toBe(a !== '');
      }),
    );
  });

  test('an admin key that was not set lets nobody in', () => {
    expect(equalSecrets('', '')).toBe(false);
  });
});
