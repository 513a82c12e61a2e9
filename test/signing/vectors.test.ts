/** The published vectors. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { outcome, runtimes } from './runtimes.js';
import { isPlain, optionsOf, type SigningVector, wantedOf } from './signing-vectors.js';

const { vectors } = JSON.parse(readFileSync('test/vectors/signing.json', 'utf8')) as {
  vectors: SigningVector[];
};

describe.each(runtimes)('the vectors on $name', (runtime) => {
  test.for(vectors)('$name', async (vector) => {
    const { headers } = vector;
    const body = Buffer.from(vector.body_base64, 'base64');
    const options = optionsOf(vector);
    const wanted = wantedOf(vector);
    expect(await outcome(runtime, options, body, headers)).toEqual(wanted);
    if (vector.body_text !== undefined) {
      expect(await outcome(runtime, options, vector.body_text, headers)).toEqual(wanted);
    }
    if (isPlain(vector)) {
      expect(await outcome(runtime, options, body, new Headers(headers))).toEqual(wanted);
    }
  });
});

describe('the file of vectors', () => {
  test('holds every code, and both kinds', () => {
    const codes = vectors.flatMap(({ expected }) => ('refused' in expected ? [expected.refused.code] : []));
    expect(new Set(codes).size).toBe(6);
    expect(vectors.length - codes.length).toBeGreaterThan(20);
  });

  test('says the same of a body twice', () => {
    const differing = vectors.filter(
      ({ body_text: text, body_base64: base64 }) =>
        text !== undefined && Buffer.from(text).toString('base64') !== base64,
    );
    expect(differing).toEqual([]);
  });

  test('accepts only what the bare HMAC accepts', () => {
    const accepted = vectors.filter(({ expected }) => 'accepted' in expected);
    const genuine = accepted.filter(({ secrets, headers, body_base64 }) => {
      const [, signature = ''] = Object.entries(headers).find(([name]) => /-signature$/i.test(name)) ?? [];
      const [, t = ''] = /(?:^|,)t=(\d+)/.exec(signature) ?? [];
      const payload = Buffer.concat([Buffer.from(`${t}.`), Buffer.from(body_base64, 'base64')]);
      const macs = secrets.map((secret) => createHmac('sha256', secret).update(payload).digest('hex'));
      return macs.some((mac) => signature.includes(`v1=${mac}`));
    });
    expect(genuine).toEqual(accepted);
  });
});
