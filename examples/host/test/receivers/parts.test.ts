/** The parts of receivers by themselves: which URLs are theirs, and how long is waited. */
import fc from 'fast-check';
import { type AttemptRequest, ATTEMPT_TIMEOUT_MS, type Transport } from 'headgate/delivery';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createOwnTransport, type HandedOver } from '../../src/receivers/transport.js';
import { tokenOf, urlOf } from '../../src/receivers/url.js';

const PUBLIC = 'http://127.0.0.1:8080';
const TOKEN = '0123456789abcdef0123456789abcdef';
const URL_1 = urlOf(PUBLIC, TOKEN);

describe('the URL of a receiver', () => {
  test('is known, however its scheme and host are spelled', () => {
    expect(tokenOf(PUBLIC, URL_1)).toBe(TOKEN);
    expect(tokenOf('https://hooks.example.com', `HTTPS://Hooks.Example.com:443/receive/${TOKEN}`)).toBe(
      TOKEN,
    );
  });

  test('is no longer one with anything put in or taken out, unless it is the same URL', () => {
    const piece = fc.constantFrom(
      '/',
      '..',
      '/../',
      '?',
      '#',
      '@',
      ':',
      '%2f',
      '%2e',
      '\\',
      '\t',
      'a',
      '0',
      ' ',
      '//',
    );
    const edit = fc.tuple(fc.nat(URL_1.length), fc.nat(3), piece);
    fc.assert(
      fc.property(edit, ([at, taken, put]) => {
        const url = URL_1.slice(0, at) + put + URL_1.slice(at + taken);
        const isSame =
          URL.canParse(url) && new URL(url).href === `${PUBLIC}/receive/${new URL(url).pathname.slice(9)}`;
        const token = tokenOf(PUBLIC, url);
        if (token !== null) expect([isSame, /^[\da-f]{32}$/.test(token)]).toEqual([true, true]);
        if (url === URL_1) expect(token).toBe(TOKEN);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the transport to receivers', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const request = (url: string): AttemptRequest => ({ url, headers: {}, body: new Uint8Array() });
  const others: Transport = {
    send: () => Promise.resolve({ ok: true, status: 299 }),
    close: () => Promise.resolve(),
  };
  const transport = (handOver: () => Promise<HandedOver | null>): Transport =>
    createOwnTransport({ transport: others, tokenOf: (url) => tokenOf(PUBLIC, url), handOver });
  const { signal } = new AbortController();

  test.for([
    [200, { ok: true, status: 200 }],
    [299, { ok: true, status: 299 }],
    [302, { ok: false, failure: 'http_status', status: 302, transient: true }],
    [404, { ok: false, failure: 'http_status', status: 404, transient: true }],
    [null, { ok: false, failure: 'http_status', status: 404 }],
  ] as const)('a receiver that answers %j', async ([status, expected]) => {
    const own = transport(() =>
      Promise.resolve(status === null ? null : { status_code: status, delay_ms: 0 }),
    );
    expect(await own.send(request(URL_1), signal)).toMatchObject(expected);
    expect(await own.send(request(`${URL_1}?`), signal)).toEqual({ ok: true, status: 299 });
  });

  test('an answer later than any sender waits is a time-out after just that time', async () => {
    vi.useFakeTimers();
    const own = transport(() => Promise.resolve({ status_code: 200, delay_ms: ATTEMPT_TIMEOUT_MS + 2_000 }));
    let outcome: unknown = null;
    void own.send(request(URL_1), signal).then((one) => (outcome = one));
    await vi.advanceTimersByTimeAsync(ATTEMPT_TIMEOUT_MS - 1);
    expect(outcome).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toMatchObject({ ok: false, failure: 'timeout' });
  });

  test('one that is a little earlier is an answer', async () => {
    vi.useFakeTimers();
    const own = transport(() => Promise.resolve({ status_code: 200, delay_ms: ATTEMPT_TIMEOUT_MS - 1 }));
    const sent = own.send(request(URL_1), signal);
    await vi.advanceTimersByTimeAsync(ATTEMPT_TIMEOUT_MS - 1);
    expect(await sent).toMatchObject({ ok: true, status: 200 });
  });

  test('a signal ends the wait, also one that has fired before', async () => {
    const own = transport(() => Promise.resolve({ status_code: 200, delay_ms: 9_000 }));
    const stop = new AbortController();
    const sent = own.send(request(URL_1), stop.signal);
    stop.abort();
    for (const outcome of [await sent, await own.send(request(URL_1), stop.signal)]) {
      expect(outcome).toMatchObject({ ok: false, failure: 'internal_error' });
    }
  });

  test('it never rejects, and tells nothing of the error', async () => {
    const own = transport(() => Promise.reject(new Error('select * from secrets')));
    const outcome = await own.send(request(URL_1), signal);
    expect(outcome).toMatchObject({ ok: false, failure: 'internal_error', transient: true });
    expect(JSON.stringify(outcome)).not.toContain('select');
  });
});
