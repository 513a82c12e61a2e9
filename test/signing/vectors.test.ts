/** The published vectors. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { SignatureErrorCode } from '../../src/signing/index.js';
import { outcome, runtimes } from './runtimes.js';

interface Vector {
  readonly name: string;
  readonly brand?: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body_base64: string;
  readonly body_text?: string;
  readonly now: number;
  readonly tolerance_seconds: number;
  readonly future_tolerance_seconds?: number;
  readonly expected:
    | { readonly accepted: { event_id: string; event_type: string; origin: string; timestamp: number } }
    | { readonly refused: { readonly code: SignatureErrorCode; readonly why: string } };
}

const { vectors } = JSON.parse(readFileSync('test/vectors/signing.json', 'utf8')) as { vectors: Vector[] };

/** True for headers that fetch's `Headers` holds as they are: Latin-1 without white space at the ends. */
const isPlain = ({ headers }: Vector) =>
  Object.values(headers).every((value) => /^[\0-\xff]*$/.test(value) && value === value.trim());

describe.each(runtimes)('the vectors on $name', (runtime) => {
  test.for(vectors)('$name', async (vector) => {
    const { brand, secrets, headers, now, expected } = vector;
    const body = Buffer.from(vector.body_base64, 'base64');
    const options = {
      secrets,
      now: () => now,
      toleranceSeconds: vector.tolerance_seconds,
      ...(brand !== undefined && { brand }),
      ...(vector.future_tolerance_seconds !== undefined && {
        futureToleranceSeconds: vector.future_tolerance_seconds,
      }),
    };
    const wanted = 'refused' in expected ? expected.refused.code : details(expected.accepted);
    expect(await outcome(runtime, options, body, headers)).toEqual(wanted);
    if (vector.body_text !== undefined) {
      expect(await outcome(runtime, options, vector.body_text, headers)).toEqual(wanted);
    }
    if (isPlain(vector)) {
      expect(await outcome(runtime, options, body, new Headers(headers))).toEqual(wanted);
    }
  });
});

const details = ({ event_id, event_type, ...rest }: Record<string, unknown>) => ({
  eventId: event_id,
  eventType: event_type,
  ...rest,
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
