/** Messages of signing and verifying: each says what is wrong, where, and what to do. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BODY, MAC, NOW, runtimes, SECRET, SIGNATURE } from './runtimes.js';

const RAW_BYTES =
  "raw bytes: express.raw({ type: 'application/json' }), not express.json(), or await request.arrayBuffer()";
const REQUEST_HEADERS = 'request.headers or new Headers(pairs)';
const UNIX_SECONDS = 'Unix seconds, not milliseconds: Math.floor(Date.now() / 1000)';
const PROXY = 'does a proxy rewrite or double it?';

const signature = { 'svc-signature': SIGNATURE };
const forged = { 'svc-signature': `t=${NOW},v1=${MAC.replace('3', '4')}` };
const about = { eventId: 'evt_1', eventType: 't', origin: 'live', timestamp: NOW } as const;

describe.for(runtimes)('$name', ({ createSigner, createVerifier }) => {
  const messageOf = async (act: () => unknown): Promise<string> => {
    try {
      await act();
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing was thrown';
  };
  const verifying = (headers: unknown, options: object = {}, body: unknown = BODY) =>
    messageOf(() =>
      createVerifier({ secrets: SECRET, now: () => NOW, ...options })(body as never, headers as never),
    );
  const signer = createSigner({ secrets: SECRET });

  test.for<{ headers: unknown; message: string; options?: object; body?: string }>([
    { headers: {}, message: 'svc-signature: missing from Object; is that request.headers, and brand right?' },
    {
      headers: undefined,
      message: 'svc-signature: missing from undefined; is that request.headers, and brand right?',
    },
    { headers: null, message: 'svc-signature: missing from null; is that request.headers, and brand right?' },
    {
      headers: new Headers(),
      message: 'svc-signature: missing from Headers; is that request.headers, and brand right?',
    },
    {
      headers: { 'svc-signature': 'sha256=abc' },
      message: `svc-signature: must have one t= of 1 to 12 digits, and a v1=; ${PROXY}`,
    },
    { headers: { 'svc-signature': 7 }, message: 'svc-signature: got Number, not text' },
    {
      headers: { ...signature, 'svc-origin': 'elsewhere' },
      message: `svc-origin: not live or replay; ${PROXY}`,
    },
    { headers: { ...signature, 'svc-timestamp': '1' }, message: `svc-timestamp: not t; ${PROXY}` },
    {
      headers: signature,
      options: { now: () => NOW + 301 },
      message: 't: 301 s ago; is the clock here right?',
    },
    {
      headers: signature,
      options: { now: () => NOW - 6, futureToleranceSeconds: 5 },
      message: 't: in 6 s; is the clock here right?',
    },
    {
      headers: signature,
      options: { now: () => NOW * 1_000 },
      message: `now: got 1700000000000; give ${UNIX_SECONDS}`,
    },
    { headers: signature, options: { now: () => NaN }, message: `now: got NaN; give ${UNIX_SECONDS}` },
    {
      headers: signature,
      options: { now: () => new Date() },
      message: `now: got Date; give ${UNIX_SECONDS}`,
    },
    {
      headers: signature,
      options: { now: () => Promise.resolve(NOW) },
      message: `now: got Promise; give ${UNIX_SECONDS}`,
    },
    {
      headers: forged,
      message: 'no v1 matches the secrets and the raw body; was the body parsed, or is the secret wrong?',
    },
    {
      headers: signature,
      options: { secrets: 'blanks and "quotes" inside' },
      message: 'no v1 matches the secrets and the raw body; was the body parsed, or is the secret wrong?',
    },
    {
      headers: signature,
      body: '',
      message: 'no v1 matches the secrets and the raw body; the body is empty: was it read before?',
    },
    ...[
      `${SECRET}\n`,
      `${SECRET}\r\n`,
      ` ${SECRET}`,
      `${SECRET}\t`,
      `"${SECRET}"`,
      `'${SECRET}'`,
      `\ufeff${SECRET}`,
    ].map((secret) => ({
      headers: signature,
      options: { secrets: ['whsec_old', secret] },
      message:
        'no v1 matches the secrets and the raw body; a secret has a line break, blanks or quotes around it',
    })),
  ])('a delivery is refused with "$message"', async ({ message, headers, options, body }) => {
    expect(await verifying(headers, options, body)).toBe(message);
  });

  test.for<[string, unknown]>([
    ['Request', new Request('https://a.invalid', { headers: signature })],
    ['Response', new Response(null, { headers: signature })],
    ['Object', { body: BODY, headers: signature }],
    ['Map', new Map(Object.entries(signature))],
    ['URLSearchParams', new URLSearchParams(signature)],
    ['Array', Object.entries(signature)],
    ['String', SIGNATURE],
    ['Promise', Promise.resolve(signature)],
  ])('headers that are a %s are refused by that name, with what to give', async ([kind, headers]) => {
    expect(await verifying(headers)).toBe(`headers: got ${kind}; give ${REQUEST_HEADERS}`);
  });

  test.for<[string, unknown]>([
    ['Object', { a: 1 }],
    ['Array', [1]],
    ['Number', 7],
    ['undefined', undefined],
    ['null', null],
    ['Promise', Promise.resolve(BODY)],
    ['Request', new Request('https://a.invalid', { method: 'POST', body: BODY })],
    ['Blob', new Blob([BODY])],
  ])('a body that is a %s is refused by that name, with what to give', async ([kind, body]) => {
    const message = `body: got ${kind}; give ${RAW_BYTES}`;
    const act = createVerifier({ secrets: SECRET, now: () => NOW });
    expect(await messageOf(() => act(body as never, signature))).toBe(message);
    expect(await messageOf(() => signer.signature(body as never, NOW))).toBe(message);
  });

  const shared = 'secrets, brand';
  const signers = `${shared}, scheme`;
  const allOptions = `${shared}, toleranceSeconds, futureToleranceSeconds, now`;
  const unset = 'give text. Is the environment variable set?';
  test.for<[string, () => unknown]>([
    [`secrets[0]: got undefined; ${unset}`, () => createSigner({ secrets: undefined as never })],
    [`secrets[0]: got ''; ${unset}`, () => createSigner({ secrets: '' })],
    [`secrets[0]: got 'undefined'; ${unset}`, () => createSigner({ secrets: String(undefined) })],
    [`secrets[1]: got undefined; ${unset}`, () => createVerifier({ secrets: ['a', undefined as never] })],
    [`secrets[0]: got Number; ${unset}`, () => createVerifier({ secrets: 12_345 as never })],
    [`secrets[0]: got Uint8Array; ${unset}`, () => createSigner({ secrets: Buffer.from('a') as never })],
    ['secrets: got 0; give 1 to 16', () => createSigner({ secrets: [] })],
    ['secrets: got 17; give 1 to 16', () => createVerifier({ secrets: Array<string>(17).fill('a') })],
    [`options: got String; give an object of ${signers}`, () => createSigner('whsec_test' as never)],
    [`options: got undefined; give an object of ${allOptions}`, () => createVerifier(undefined as never)],
    [`options: got null; give an object of ${allOptions}`, () => createVerifier(null as never)],
    [
      `options: got secret, tolerance; give an object of ${allOptions}`,
      () => createVerifier({ secret: SECRET, tolerance: 5 } as never),
    ],
    [
      `options: got toleranceSeconds; give an object of ${signers}`,
      () => createSigner({ secrets: SECRET, toleranceSeconds: 5 } as never),
    ],
    [
      'brand: got String; give letters, digits and hyphens',
      () => createSigner({ secrets: SECRET, brand: 'a b' }),
    ],
    [
      'toleranceSeconds: got -1; give seconds, 0 or more',
      () => createVerifier({ secrets: SECRET, toleranceSeconds: -1 }),
    ],
    [
      'futureToleranceSeconds: got String; give seconds, 0 or more',
      () => createVerifier({ secrets: SECRET, futureToleranceSeconds: '60' as never }),
    ],
    [
      'now: got 1700000000; give a function that returns Unix seconds',
      () => createVerifier({ secrets: SECRET, now: NOW as never }),
    ],
    [`timestamp: got 1.5; give whole ${UNIX_SECONDS}`, () => signer.signature(BODY, 1.5)],
    [`timestamp: got 1700000000000; give whole ${UNIX_SECONDS}`, () => signer.signature(BODY, NOW * 1_000)],
    [`timestamp: got Date; give whole ${UNIX_SECONDS}`, () => signer.signature(BODY, new Date() as never)],
    [
      'about: got undefined; give an object of eventId, eventType, origin, timestamp',
      () => signer.headers(BODY, undefined as never),
    ],
    [
      'about: got id; give an object of eventId, eventType, origin, timestamp',
      () => signer.headers(BODY, { ...about, id: 'evt_1' } as never),
    ],
    [
      'eventId: got String; give Latin-1 without line breaks',
      () => signer.headers(BODY, { ...about, eventId: 'a\nb' }),
    ],
    [
      'eventType: got undefined; give Latin-1 without line breaks',
      () => signer.headers(BODY, { ...about, eventType: undefined as never }),
    ],
    [
      'origin: got String; give live or replay',
      () => signer.headers(BODY, { ...about, origin: 'x' as never }),
    ],
  ])('what cannot work is refused with "%s"', async ([message, act]) => {
    expect(await messageOf(act)).toBe(message);
  });

  test('no message quotes what was handed in where a secret, a signature or a body belongs', async () => {
    const token = () => fc.stringMatching(/^[A-Za-z0-9]{12,40}$/);
    const wrapped = (text: string): unknown[] => [
      text,
      [text],
      [[text]],
      { text },
      { [Symbol.toPrimitive]: () => text, toString: () => text },
      new Map([[text, text]]),
      new Error(text),
      Buffer.from(text),
      new String(text),
      `${text}\n`,
    ];
    await fc.assert(
      fc.asyncProperty(token(), async (hidden) => {
        for (const given of wrapped(hidden)) {
          const messages = [
            await messageOf(() => createSigner(given as never)),
            await messageOf(() => createSigner({ secrets: given as never, brand: '' })),
            await messageOf(() => createSigner({ secrets: SECRET, brand: given as never })),
            await messageOf(() => createVerifier({ secrets: SECRET, now: given as never })),
            await messageOf(() => signer.signature(given as never, -1)),
            await messageOf(() => signer.signature(BODY, given as never)),
            await messageOf(() => signer.headers(BODY, { ...about, origin: given as never })),
            await verifying(given),
            await verifying({ 'svc-signature': given }),
            await verifying({ ...signature, 'svc-timestamp': given }),
            await verifying({ ...signature, 'svc-origin': given }),
            await verifying(forged, {}, given),
            await verifying(signature, { now: () => given }),
          ];
          for (const message of messages) expect(message).not.toContain(hidden);
        }
      }),
      { numRuns: 20 },
    );
  });
});
