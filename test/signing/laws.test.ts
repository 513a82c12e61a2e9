/** Laws of signing and verifying. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bytes, HeaderSource } from '../../src/signing/index.js';
import * as node from '../../src/signing/index.js';
import * as web from '../../src/signing/web.js';
import { BODY, MAC, NOW, outcome, runtimes, SIGNATURE } from './runtimes.js';

const secret = () => fc.string({ unit: 'binary', minLength: 1, maxLength: 80 });
const secrets = () => fc.array(secret(), { minLength: 1, maxLength: 4 });
const body = (): fc.Arbitrary<Bytes> =>
  fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: 'binary' }));
const timestamp = () => fc.integer({ min: 0, max: 999_999_999_999 });
const details = () =>
  fc.record({
    eventId: fc.stringMatching(/^evt_[A-Za-z0-9]{1,26}$/),
    eventType: fc.stringMatching(/^[a-z]{1,10}\.[a-z]{1,10}$/),
    origin: fc.constantFrom('live' as const, 'replay' as const),
    timestamp: timestamp(),
  });

/** Pieces that a signature header is made of, right and wrong ones, in any order and number. */
const garbage = () =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(`t=${NOW}`, `v1=${MAC}`, `v1=${'0'.repeat(64)}`, 'v0=a') },
        fc.constantFrom(
          't=',
          'v1=',
          't',
          '=',
          '',
          ' ',
          `t=${NOW} `,
          ` v1=${MAC}`,
          't=1e3',
          'T=1',
          'v1=ß',
          'k=v=w',
        ),
        fc.string({ unit: 'binary', maxLength: 8 }),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join(','));

const plausible = () =>
  fc.constantFrom(
    SIGNATURE,
    `v1=${MAC},t=${NOW}`,
    `t=${NOW},v1=${'0'.repeat(64)}`,
    `t=${NOW},v1=`,
    `${SIGNATURE},k=v`,
  );

/** Header objects such as no server would hand over. */
const hostileHeaders = (): fc.Arbitrary<HeaderSource> =>
  fc
    .dictionary(
      fc.oneof(
        {
          weight: 3,
          arbitrary: fc.constantFrom('Svc-Signature', 'svc-signature', 'SVC-TIMESTAMP', 'svc-timestamp'),
        },
        fc.constantFrom('svc-origin', 'svc-event-id', '__proto__', 'constructor', 'get'),
      ),
      fc.oneof(
        { weight: 3, arbitrary: plausible() },
        garbage(),
        fc.constant(String(NOW)),
        fc.array(garbage(), { maxLength: 2 }),
        fc.jsonValue(),
      ),
    )
    .map((headers) => headers as HeaderSource);

/** A copy of bytes with one bit turned over. */
function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = bit % (copy.length * 8);
  copy[at >> 3] = (copy[at >> 3] ?? 0) ^ (1 << (at & 7));
  return copy;
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

describe.each(runtimes)('laws of signing on $name', (runtime) => {
  test('what is signed verifies, and says what it said', async () => {
    await fc.assert(
      fc.asyncProperty(secrets(), body(), details(), async (secrets, body, about) => {
        const headers = await runtime.createSigner({ secrets }).headers(body, about);
        const result = await outcome(runtime, { secrets, now: () => about.timestamp }, body, headers);
        expect(result).toEqual(about);
      }),
    );
  });

  test('one bit of the body turned over is refused', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(secret(), bytes, fc.nat(), timestamp(), async (secrets, bytes, bit, timestamp) => {
        const headers = {
          'Svc-Signature': await runtime.createSigner({ secrets }).signature(bytes, timestamp),
        };
        const result = await outcome(
          runtime,
          { secrets, now: () => timestamp },
          flipped(bytes, bit),
          headers,
        );
        expect(result).toBe('signature_mismatch');
      }),
    );
  });

  test('one bit of t or of the MAC turned over is refused', async () => {
    const header = new TextEncoder().encode(SIGNATURE);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: header.length * 8 - 1 }), async (bit) => {
        const headers = { 'Svc-Signature': text(flipped(header, bit)) };
        expect(await outcome(runtime, { toleranceSeconds: Infinity }, BODY, headers)).toBeTypeOf('string');
      }),
      { numRuns: 400 },
    );
  });

  test('a receiver accepts when, and only when, it shares a secret with the sender', async () => {
    const some = () => fc.subarray(['a', 'b', 'c', 'd', 'e', 'f'], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(some(), some(), async (sender, receiver) => {
        const headers = {
          'Svc-Signature': await runtime.createSigner({ secrets: sender }).signature(BODY, NOW),
        };
        const result = await outcome(runtime, { secrets: receiver }, BODY, headers);
        expect(typeof result === 'object').toBe(sender.some((one) => receiver.includes(one)));
      }),
    );
  });

  test('no message holds a secret, a signature or the body', async () => {
    const token = () => fc.stringMatching(/^[A-Za-z0-9]{12,40}$/);
    await fc.assert(
      fc.asyncProperty(token(), token(), hostileHeaders(), async (secrets, body, headers) => {
        const expected = await runtime.createSigner({ secrets }).signature(body, NOW);
        const verify = async () => runtime.createVerifier({ secrets, now: () => NOW })(body, headers);
        const error: unknown = await verify().catch((reason: unknown) => reason);
        if (!(error instanceof node.SignatureError)) return;
        for (const hidden of [secrets, body, expected.slice(-64), MAC]) {
          expect(error.message).not.toContain(hidden);
        }
      }),
    );
  });
});

describe('node and web', () => {
  test('sign alike', async () => {
    await fc.assert(
      fc.asyncProperty(secrets(), body(), details(), async (secrets, body, about) => {
        const headers = await web.createSigner({ secrets }).headers(body, about);
        expect(headers).toEqual(node.createSigner({ secrets }).headers(body, about));
      }),
    );
  });
});
