/** What people read when signing or verifying refuses. */
import { describe, expect, test } from 'vitest';
import { BODY, MAC, NOW, runtimes, SECRET, SIGNATURE } from './runtimes.js';

describe.for(runtimes)('$name', ({ createSigner, createVerifier }) => {
  const messageOf = async (act: () => unknown): Promise<string> => {
    try {
      await act();
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing was thrown';
  };
  const verifying = (headers: Record<string, string>, options = {}) => {
    const verify = createVerifier({ secrets: SECRET, now: () => NOW, ...options });
    return messageOf(() => verify(BODY, headers));
  };
  const signature = { 'svc-signature': SIGNATURE };

  test.for<[string, Record<string, string>, object]>([
    ['svc-signature: missing', {}, {}],
    ['svc-signature: missing', undefined as never, {}],
    ['svc-signature: missing', null as never, {}],
    ['signature header: malformed', { 'svc-signature': 'sha256=abc' }, {}],
    ['svc-origin: malformed', { ...signature, 'svc-origin': 'elsewhere' }, {}],
    ['svc-timestamp: not t', { ...signature, 'svc-timestamp': '1' }, {}],
    ['t: 301 s ago', signature, { now: () => NOW + 301 }],
    ['t: in 6 s', signature, { now: () => NOW - 6, futureToleranceSeconds: 5 }],
    ['no v1 fits secret and raw body', { 'svc-signature': `t=${NOW},v1=${MAC.replace('3', '4')}` }, {}],
  ])('a delivery is refused with "%s"', async ([message, headers, options]) => {
    expect(await verifying(headers, options)).toBe(message);
  });

  const about = { eventId: 'evt_1', eventType: 't', origin: 'live', timestamp: NOW } as const;
  const signer = createSigner({ secrets: SECRET });
  test.for<[string, () => unknown]>([
    ['secrets: 1 to 16 strings, none empty', () => createSigner({ secrets: '' })],
    ['brand: no start of a header name', () => createSigner({ secrets: SECRET, brand: 'a b' })],
    ['tolerance: seconds, at least 0', () => createVerifier({ secrets: SECRET, toleranceSeconds: -1 })],
    ['timestamp 1.5: not whole Unix seconds', () => signer.signature(BODY, 1.5)],
    ['body: not raw bytes or text', () => signer.signature({ a: 1 } as never, NOW)],
    [String.raw`eventId: not ^[\t -~\x80-\xff]*$`, () => signer.headers(BODY, { ...about, eventId: 'a\nb' })],
    [
      String.raw`eventType: not ^[\t -~\x80-\xff]*$`,
      () => signer.headers(BODY, { ...about, eventType: '😀' }),
    ],
    ['origin: not ^(live|replay)$', () => signer.headers(BODY, { ...about, origin: 'x' as never })],
  ])('what cannot work is refused with "%s"', async ([message, act]) => {
    expect(await messageOf(act)).toBe(message);
  });
});
