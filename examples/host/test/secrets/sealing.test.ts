/** Sealing: what was sealed is opened for its field alone, and no message tells anything of it. */
import { createCipheriv, createHash, webcrypto } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createSealer,
  parseSealingKeys,
  type Field,
  SealingError,
  type SealingErrorCode,
} from '../../src/secrets/sealing.js';
import { isStandardSecret, newSigningSecret } from '../../src/secrets/signing-secret.js';

const keyOf = (name: string) => ({ id: name, key: createHash('sha256').update(name).digest() });
const [K1, K2] = [keyOf('k1'), keyOf('k2')];
const ABOUT = 'channels:017f22e2-79b0-7cc3-98c4-dc0c0c07398f:secrets';
const texts = () => fc.string({ unit: 'binary' });
const fields = () => fc.tuple(fc.string(), fc.string(), fc.string()).map((parts) => parts.join(':') as Field);

/** The error of a call, which must be of a sealer. */
function errorOf(call: () => unknown): SealingError {
  try {
    call();
  } catch (error) {
    if (error instanceof SealingError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}
const codeOf = (call: () => unknown): SealingErrorCode => errorOf(call).code;

describe('createSealer', () => {
  test('opens what it sealed, for the same field', () => {
    const sealer = createSealer([K2, K1]);
    fc.assert(
      fc.property(texts(), fields(), (text, about) => {
        const sealed = sealer.seal(text, about);
        expect(sealed).toMatch(/^v1\.k2\.[\w-]{16}\.[\w-]*\.[\w-]{22}$/);
        expect(sealer.open(sealed, about)).toBe(text);
      }),
    );
  });

  test('opens nothing for another field', () => {
    const sealer = createSealer([K1]);
    fc.assert(
      fc.property(texts(), fields(), fields(), (text, about, other) => {
        fc.pre(about !== other);
        expect(codeOf(() => sealer.open(sealer.seal(text, about), other))).toBe('not_genuine');
      }),
    );
  });

  test('opens nothing in which one character was changed', () => {
    const sealer = createSealer([K1, K2]);
    const characters = () => fc.constantFrom(...'Ak1v.-_ =+/\n');
    fc.assert(
      fc.property(texts(), fc.nat(200), characters(), (text, at, to) => {
        const sealed = sealer.seal(text, ABOUT);
        fc.pre(at < sealed.length && sealed[at] !== to);
        const changed = sealed.slice(0, at) + to + sealed.slice(at + 1);
        // The last character of a part may have bits that stand for nothing.
        fc.pre(!sameBytes(sealed, changed));
        expect(codeOf(() => sealer.open(changed, ABOUT))).toMatch(/^(malformed|unknown_key|not_genuine)$/);
      }),
      { numRuns: 1_000 },
    );
  });

  test.for([4, 8, 12, 13, 14, 15])('refuses a genuine tag that was cut to %d bytes', (length) => {
    const cipher = createCipheriv('aes-256-gcm', K1.key, Buffer.alloc(12), { authTagLength: length });
    cipher.setAAD(Buffer.from(ABOUT));
    const ciphertext = cipher.update('secret', 'utf8', 'base64url') + cipher.final('base64url');
    const sealed = `v1.k1.${'A'.repeat(16)}.${ciphertext}.${cipher.getAuthTag().toString('base64url')}`;
    expect(codeOf(() => createSealer([K1]).open(sealed, ABOUT))).toBe('malformed');
  });

  test('never uses one iv twice', () => {
    const sealer = createSealer([K1]);
    const ivs = Array.from({ length: 1_000 }, () => sealer.seal('', ABOUT).split('.')[2]);
    expect(new Set(ivs).size).toBe(1_000);
  });

  test('is AES-256-GCM as WebCrypto has it, with the field as additional data', async () => {
    const key = await webcrypto.subtle.importKey('raw', K1.key, 'AES-GCM', false, ['decrypt']);
    const [, , iv = '', ciphertext = '', tag = ''] = createSealer([K1]).seal('whsec_ü', ABOUT).split('.');
    const plain = await webcrypto.subtle.decrypt(
      {
        name: 'AES-GCM',
        iv: Buffer.from(iv, 'base64url'),
        additionalData: Buffer.from(ABOUT),
        tagLength: 128,
      },
      key,
      Buffer.concat([Buffer.from(ciphertext, 'base64url'), Buffer.from(tag, 'base64url')]),
    );
    expect(Buffer.from(plain).toString()).toBe('whsec_ü');
  });

  test('a key is replaced: the newest writes, all read, and what an older one wrote wants resealing', () => {
    const old = createSealer([K1]).seal('secret', ABOUT);
    const both = createSealer([K2, K1]);
    expect(both.open(old, ABOUT)).toBe('secret');
    expect(both.needsResealing(old)).toBe(true);
    const resealed = both.seal(both.open(old, ABOUT), ABOUT);
    expect(both.needsResealing(resealed)).toBe(false);
    expect(createSealer([K2]).open(resealed, ABOUT)).toBe('secret');
    expect(errorOf(() => createSealer([K2]).open(old, ABOUT))).toMatchObject({
      code: 'unknown_key',
      message: 'No key has the id k1: is it still in the environment?',
    });
  });

  test('an id that begins like that of the newest key wants resealing too', () => {
    const sealed = createSealer([keyOf('k10')]).seal('secret', ABOUT);
    expect(createSealer([K1]).needsResealing(sealed)).toBe(true);
  });

  test('a key of the same id with another value opens nothing', () => {
    const sealed = createSealer([K1]).seal('secret', ABOUT);
    expect(codeOf(() => createSealer([{ id: 'k1', key: K2.key }]).open(sealed, ABOUT))).toBe('not_genuine');
  });

  test.for(['', 'whsec_abc', 'v2.k1.a.b.c', 'v1.k1.a.b.c', 'v1.k1..AAAA.AAAAAAAAAAAAAAAAAAAAAA'])(
    '%j was sealed by nobody',
    (text) => {
      const error = errorOf(() => createSealer([K1]).open(text, ABOUT));
      expect(error).toMatchObject({ code: 'malformed', name: 'SealingError' });
    },
  );

  test('text that UTF-8 cannot carry is refused rather than changed', () => {
    expect(codeOf(() => createSealer([K1]).seal('\ud800', ABOUT))).toBe('invalid_text');
  });

  test('keeps a key as it was given, though the caller wipes it', () => {
    const key = Uint8Array.from(K1.key);
    const sealer = createSealer([{ id: 'k1', key }]);
    key.fill(0);
    expect(createSealer([K1]).open(sealer.seal('secret', ABOUT), ABOUT)).toBe('secret');
  });

  test('no key, a short key, one id twice and an id with a dot are refused, all at once', () => {
    expect(errorOf(() => createSealer([])).message).toContain('no key is given');
    const keys = [K1, { id: 'k1', key: new Uint8Array(16) }, { id: 'a.b', key: K2.key }];
    expect(errorOf(() => createSealer(keys)).message).toBe(
      'entry 2 has a key of 16 bytes, not 32; entry 2 has the id of entry 1; ' +
        'entry 3 has an id that is not 1 to 32 of A-Z a-z 0-9 _ -; ' +
        'give <id>:<base64 of 32 bytes>, newest first, with commas between',
    );
  });
});

/** Whether two sealed texts have the same key id and the same bytes. */
function sameBytes(a: string, b: string): boolean {
  const bytes = (sealed: string) =>
    sealed.split('.').map((part, i) => (i < 2 ? part : Buffer.from(part, 'base64url').toString('hex')));
  const isSpelledAlike = /^[\w.-]*$/.test(b);
  return isSpelledAlike && JSON.stringify(bytes(a)) === JSON.stringify(bytes(b));
}

describe('parseSealingKeys', () => {
  const [B1, B2] = [K1.key.toString('base64'), K2.key.toString('base64')];

  test('reads what was written, newest first, in base64 and in base64url', () => {
    const keys = () => fc.uint8Array({ minLength: 32, maxLength: 32 });
    const ids = () => fc.stringMatching(/^[\w-]{1,32}$/);
    const entry = () => fc.tuple(ids(), keys(), fc.constantFrom<BufferEncoding>('base64', 'base64url'));
    fc.assert(
      fc.property(fc.uniqueArray(entry(), { minLength: 1, selector: ([id]) => id }), (entries) => {
        const text = entries.map(([id, key, encoding]) => `${id}:${Buffer.from(key).toString(encoding)}`);
        const read = parseSealingKeys(text.join(', ') + '\n').map(({ id, key }) => [
          id,
          Uint8Array.from(key),
        ]);
        expect(read).toEqual(entries.map(([id, key]) => [id, key]));
      }),
    );
  });

  test.for([
    { text: '', problem: 'it is empty' },
    { text: ' \n', problem: 'it is empty' },
    { text: B1, problem: 'entry 1 is not an id, a colon and a key' },
    { text: `k2:${B2},`, problem: 'entry 2 is not an id, a colon and a key' },
    { text: `k2:${B2}:${B1}`, problem: 'entry 1 is not an id, a colon and a key' },
    { text: `${B1}:k1`, problem: 'entry 1 has an id that is not' },
    { text: `:${B1}`, problem: 'entry 1 has an id that is not' },
    { text: 'k1:', problem: 'entry 1 has a key that is not base64' },
    { text: `k1:"${B1}"`, problem: 'entry 1 has a key that is not base64' },
    { text: `k2:${B2},k1:${B1.slice(4)}`, problem: 'entry 2 has a key of 29 bytes, not 32' },
    { text: `k1:${B2},k1:${B1}`, problem: 'entry 2 has the id of entry 1' },
    { text: `k1:!,k1`, problem: 'entry 1 has a key that is not base64; entry 2 is not an id' },
  ])('$text is refused: $problem', ({ text, problem }) => {
    expect(errorOf(() => parseSealingKeys(text))).toMatchObject({ code: 'invalid_keys' });
    expect(errorOf(() => parseSealingKeys(text)).message).toContain(problem);
  });

  test('no message has a part of a key in it, wherever the key stands', () => {
    const parts = () => fc.array(fc.constantFrom(B1, B2, ':', ',', ' ', 'k1', '"', '='), { maxLength: 8 });
    fc.assert(
      fc.property(parts(), (text) => {
        let message = '';
        try {
          createSealer(parseSealingKeys(text.join('')));
        } catch (error) {
          message = errorOf(() => {
            throw error;
          }).message;
        }
        for (let at = 0; at + 8 <= B1.length; at++) {
          expect(message).not.toContain(B1.slice(at, at + 8));
          expect(message).not.toContain(B2.slice(at, at + 8));
        }
      }),
    );
  });
});

describe('newSigningSecret', () => {
  test('is whsec_ and the base64 of 32 random bytes, without characters that need quotes or escapes', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 1, maxLength: 20 }), (draws) => {
        // The last draw has the base64 of only As.
        const all = [...draws, new Uint8Array(32)];
        let drawn = 0;
        const secret = newSigningSecret(() => all[drawn++]!);
        expect(secret).toMatch(/^whsec_[\dA-Za-z]{43}=$/);
        expect(Uint8Array.from(Buffer.from(secret.slice(6), 'base64'))).toEqual(all[drawn - 1]);
        for (const one of all.slice(0, drawn - 1)) {
          expect(Buffer.from(one).toString('base64')).toMatch(/[+/]/);
        }
        expect(isStandardSecret(secret)).toBe(true);
      }),
    );
  });

  test('Standard Webhooks cannot use the secrets of earlier versions', () => {
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64url')}`;
    expect(isStandardSecret(secret)).toBe(false);
  });

  test('is another one each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newSigningSecret())).size).toBe(100);
  });
});
