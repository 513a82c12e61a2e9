/** Parsing of the Retry-After header. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { retryAfterSeconds } from '../../../src/adapters/http/retry-after.js';
import { response } from '../../hostile/receivers.js';
import { loopbackTransport, post, receiver } from './receivers.js';

const NOW = Date.UTC(2026, 10, 20, 12);

// Dates of HTTP are in GMT, whatever the system's time zone is.
beforeAll(() => void vi.stubEnv('TZ', 'Asia/Tokyo'));

describe('laws', () => {
  test('seconds come back as they are, whatever the time', () => {
    fc.assert(
      fc.property(fc.nat(9_999_999_999), fc.nat(), (seconds, now) => {
        expect(retryAfterSeconds(String(seconds), now)).toBe(seconds);
      }),
    );
  });

  test('waiting as long as it says is enough for the date, and a second less is not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4e12 }), fc.nat(4e9), (now, ahead) => {
        const date = new Date(Math.floor((now + ahead) / 1_000) * 1_000);
        const seconds = retryAfterSeconds(date.toUTCString(), now)!;
        expect(now + seconds * 1_000).toBeGreaterThanOrEqual(date.getTime());
        if (seconds > 0) expect(now + (seconds - 1) * 1_000).toBeLessThan(date.getTime());
      }),
    );
  });

  test('whatever else stands there gives whole seconds within ten digits, or nothing', () => {
    const junk = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.date().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    fc.assert(
      fc.property(junk, (text) => {
        const seconds = retryAfterSeconds(text, NOW);
        if (seconds === undefined) return;
        expect(Number.isInteger(seconds) && seconds >= 0 && seconds <= 9_999_999_999).toBe(true);
        expect(text.trim()).toMatch(/^\d{1,10}$| GMT$/); // blanks around a value are no part of it
      }),
      { numRuns: 2_000 },
    );
  });
});

test.for([
  { value: '0', seconds: 0, because: 'it may be now' },
  { value: '120', seconds: 120, because: 'these are seconds' },
  { value: '0120', seconds: 120, because: 'these are digits' },
  { value: '9999999999', seconds: 9_999_999_999, because: 'that is ten digits' },
  { value: 'Fri, 20 Nov 2026 12:02:00 GMT', seconds: 120, because: 'this is the form of today' },
  { value: 'Friday, 20-Nov-26 12:02:00 GMT', seconds: 120, because: 'this is the form of RFC 850' },
  { value: 'Fri Nov 20 12:02:00 2026', seconds: 120, because: 'this is the form of asctime' },
  { value: 'Sat Dec  5 12:00:00 2026', seconds: 15 * 86_400, because: 'asctime pads with a blank' },
  { value: 'Sun, 06 Nov 1994 08:49:37 GMT', seconds: 0, because: 'that is long over' },
  { value: undefined, seconds: undefined, because: 'there is none' },
  { value: '', seconds: undefined, because: 'it is empty' },
  { value: '-1', seconds: undefined, because: 'it is negative' },
  { value: '+1', seconds: undefined, because: 'it has a sign' },
  { value: '1.5', seconds: undefined, because: 'it is no whole number' },
  { value: '1e3', seconds: undefined, because: 'these are no digits alone' },
  { value: '0x10', seconds: undefined, because: 'these are no decimal digits' },
  { value: '١٢', seconds: undefined, because: 'these are no digits of ASCII' },
  { value: ' 12\t ', seconds: 12, because: 'blanks around it do not count' },
  { value: '1 2', seconds: undefined, because: 'blanks inside do' },
  { value: '120, 60', seconds: undefined, because: 'two headers were joined' },
  { value: ['120', '120'], seconds: undefined, because: 'there are two' },
  { value: '10000000000', seconds: undefined, because: 'that is eleven digits' },
  { value: '9'.repeat(10_000), seconds: undefined, because: 'that is ten thousand digits' },
  { value: 'Fri, 31 Dec 9999 23:59:59 GMT', seconds: undefined, because: 'that is out of all measure' },
  { value: 'Sun, 31 Feb 2027 12:00:00 GMT', seconds: undefined, because: 'there is no such day' },
  { value: 'Fri, 20 Nov 2026 24:00:00 GMT', seconds: undefined, because: 'there is no such hour' },
  { value: 'Fri, 20 Nov 2026 12:02:00 +0100', seconds: undefined, because: 'HTTP knows GMT alone' },
  { value: 'Fri, 20 Nov 2026 12:02 GMT', seconds: undefined, because: 'the seconds are missing' },
  { value: '20 November 2026', seconds: undefined, because: 'no form of HTTP has that' },
  { value: '2026-11-20T12:02:00Z', seconds: undefined, because: 'HTTP does not know ISO 8601' },
  { value: 'Invalid Date', seconds: undefined, because: 'that is what a broken sender writes' },
])('$value: $seconds, since $because', ({ value, seconds }) => {
  expect(retryAfterSeconds(value, NOW)).toBe(seconds);
});

describe('an answer', () => {
  test.for([
    { status: 429, headers: 'Retry-After: 7\r\n', told: { retry_after_seconds: 7 } },
    { status: 503, headers: 'retry-after:   0  \r\n', told: { retry_after_seconds: 0 } },
    { status: 302, headers: 'Retry-After: 7\r\n', told: {} },
    { status: 428, headers: 'Retry-After: 7\r\n', told: {} },
    { status: 500, headers: 'Retry-After: 7\r\n', told: {} },
    { status: 502, headers: 'Retry-After: 7\r\n', told: {} },
    { status: 504, headers: 'Retry-After: 7\r\n', told: {} },
    { status: 503, headers: '', told: {} },
    { status: 503, headers: 'Retry-After: soon\r\n', told: {} },
    { status: 503, headers: 'Retry-After: 1\r\nRetry-After: 2\r\n', told: {} },
    { status: 503, headers: '__proto__: 1\r\nconstructor: 2\r\nX-Retry-After: 3\r\n', told: {} },
  ])('$status with $headers tells $told', async ({ status, headers, told }) => {
    const { url } = await receiver(response(status, '', headers));
    const detail = expect.stringContaining(String(status));
    const failed = { ok: false, failure: 'http_status', status, transient: true, detail };
    expect(await post(loopbackTransport(), url)).toEqual({ ...failed, ...told });
  });

  test('with a date is counted from the moment that it came', async () => {
    const { url } = await receiver((socket) => {
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      socket.write(response(503, '', `Retry-After: ${date}\r\n`));
    });
    const outcome = await post(loopbackTransport(), url);
    expect(outcome).toHaveProperty('retry_after_seconds', expect.closeTo(3_600, -2));
  });

  test('of 2xx is no failure, whatever it asks for', async () => {
    const { url } = await receiver(response(202, '', 'Retry-After: 7\r\n'));
    expect(await post(loopbackTransport(), url)).toEqual({ ok: true, status: 202 });
  });
});
