/** Signed requests are what the scheduler sends, and each fault is the one that its name says. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReceiver } from '../../src/receiver/index.js';
import { createVerifier, SignatureError } from '../../src/signing/index.js';
import { createSignedRequest, type SignedRequestFault } from '../../src/testing/index.js';

const secrets = 'whsec_of_requests';
const event = { id: 'evt_7', type: 'order.paid', data: { body: { amount: 12, name: 'Zoë 😀' } } };
const NOW = 1_800_000_000;
const verify = createVerifier({ secrets, now: () => NOW });

/** The code of the error with which the signature is refused, or null. */
function refusal(request: { body: string; headers: Readonly<Record<string, string>> }): string | null {
  try {
    verify(request.body, request.headers);
    return null;
  } catch (error) {
    return error instanceof SignatureError ? error.code : 'another error';
  }
}

describe('createSignedRequest', () => {
  test('signs any event as a sender does', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('live' as const, 'replay' as const), (json, origin) => {
        const any = { ...event, data: { body: JSON.parse(json) as unknown } };
        const request = createSignedRequest({ secrets, event: any, origin, timestamp: NOW });
        const about = { eventId: 'evt_7', eventType: 'order.paid', origin, timestamp: NOW };
        expect(verify(request.body, request.headers)).toEqual(about);
        expect(JSON.parse(request.body)).toEqual(JSON.parse(JSON.stringify(any)));
      }),
    );
  });

  test('leaves raw_payload out, as a sender does', () => {
    const { body } = createSignedRequest({ secrets, event: { ...event, raw_payload: { card: '4242' } } });
    expect(JSON.parse(body)).toEqual(event);
  });

  test.for<[SignedRequestFault, string]>([
    ['tampered', 'signature_mismatch'],
    ['stale', 'timestamp_too_old'],
    ['redated_header', 'timestamp_mismatch'],
    ['redated_signature', 'timestamp_mismatch'],
    ['wrong_secret', 'signature_mismatch'],
    ['unsigned', 'missing_header'],
  ])('%s is refused as %s', ([fault, code]) => {
    const request = createSignedRequest({ secrets, event, fault, timestamp: NOW });
    expect(refusal(request)).toBe(code);
  });

  test('a tampered body is JSON of another meaning, or another text where it was none', () => {
    const tampered = (body?: string): string =>
      createSignedRequest({ secrets, event, fault: 'tampered', ...(body !== undefined && { body }) }).body;
    expect(JSON.parse(tampered())).toEqual({ tampered: true, ...event });
    expect(tampered('{}')).toBe('{} ');
  });

  test('a brand names the headers of every request', () => {
    for (const fault of [undefined, 'redated_header', 'redated_signature', 'unsigned'] as const) {
      const { headers } = createSignedRequest({ secrets, brand: 'Acme', ...(fault && { fault }) });
      expect(Object.keys(headers).filter((name) => name.startsWith('Svc-'))).toEqual([]);
      expect('Acme-Signature' in headers).toBe(fault !== 'unsigned');
    }
  });

  test('gives a new fetch Request for each call, with headers of the test on top', async () => {
    const request = createSignedRequest({
      secrets,
      url: 'https://example.com/hooks?a=1',
      headers: { 'X-Request-Id': '1', 'User-Agent': 'test' },
    });
    const statuses = [];
    const receiver = createReceiver({ secrets, handle: () => undefined });
    for (const one of [request.toRequest(), request.toRequest()]) {
      expect([one.url, one.method]).toEqual(['https://example.com/hooks?a=1', 'POST']);
      expect([one.headers.get('x-request-id'), one.headers.get('user-agent')]).toEqual(['1', 'test']);
      statuses.push((await receiver.fetch(one)).status);
    }
    expect(statuses).toEqual([204, 204]);
  });

  test.for([
    [{ secrets, fault: 'late' }, /fault is a string: give one of tampered, stale/],
    [{ secrets, origin: 'dead' }, /origin is a string: give 'live' or 'replay'/],
    [{ secrets, timestamp: 1_800_000_000_000 }, /timestamp is 1800000000000: give an integer/],
    [{ secrets, event: { id: 1 } }, /event\.id is 1: give text/],
    [{ secrets, headers: { a: 1 } }, /headers: a is 1: give text/],
    [{ secret: secrets }, /no option secret/],
    [{ secrets: '' }, /secret/],
  ])('%j is refused: %s', ([options, message]) => {
    expect(() => createSignedRequest(options as never)).toThrow(message);
  });
});
