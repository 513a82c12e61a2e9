/** Verifying. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HeadgateError, OptionError } from '../../src/errors.js';
import { SignatureError } from '../../src/signing/index.js';
import type { HeaderSource } from '../../src/signing/index.js';
import { BODY, MAC, NOW, outcome, runtimes, SECRET, SIGNATURE } from './runtimes.js';

const bare = { eventId: '', eventType: '', origin: 'live', timestamp: NOW };
const all = {
  'svc-event-id': 'evt_1',
  'svc-event-type': 'webhook.received',
  'svc-origin': 'replay',
  'svc-timestamp': String(NOW),
  'svc-signature': SIGNATURE,
};
const told = { eventId: 'evt_1', eventType: 'webhook.received', origin: 'replay', timestamp: NOW };

/** Headers of a hostile or careless host. They are not what the types ask for. */
const odd = (headers: unknown) => headers as HeaderSource;

/** Nothing but a signature header. */
const signed = (signature: unknown) => odd({ 'svc-signature': signature });

describe.each(runtimes)('verifying on $name', (runtime) => {
  const verdict = (headers: HeaderSource, options = {}) => outcome(runtime, options, BODY, headers);

  test.for([
    { shape: 'Headers', headers: new Headers(all) },
    { shape: 'an object as of node:http', headers: all },
    { shape: 'an object without a prototype', headers: Object.assign(Object.create(null), all) },
    { shape: 'a frozen object', headers: Object.freeze({ ...all }) },
    { shape: 'a list of one value each', headers: mapValues(all, (value) => [value]) },
    { shape: "a host's own reader", headers: { get: (name: string) => omit(all, '')[name] ?? null } },
    { shape: 'getters', headers: withGetters(all) },
    { shape: 'mixed case', headers: { 'sVC-sIGNATURE': SIGNATURE, ...omit(all, 'svc-signature') } },
  ])('$shape', async ({ headers }) => {
    expect(await verdict(odd(headers))).toEqual(told);
  });

  test.for<{ headers: HeaderSource; code: string; because: string }>([
    { headers: {}, code: 'missing_header', because: 'there is nothing' },
    { headers: new Headers(), code: 'missing_header', because: 'there is nothing' },
    { headers: Object.create(all) as HeaderSource, code: 'missing_header', because: 'inherited is not sent' },
    { headers: signed(undefined), code: 'missing_header', because: 'undefined is absent' },
    { headers: signed(null), code: 'missing_header', because: 'null is absent' },
    { headers: odd(undefined), code: 'missing_header', because: 'there is nothing' },
    { headers: odd(null), code: 'missing_header', because: 'there is nothing' },
    { headers: odd({ headers: 'x' }), code: 'missing_header', because: 'a header may be called headers' },
    { headers: odd({ headers: ['x', 'y'] }), code: 'missing_header', because: 'and may be sent twice' },
    { headers: signed([]), code: 'malformed_header', because: 'no value is an empty one' },
    { headers: signed([SIGNATURE, SIGNATURE]), code: 'malformed_header', because: 'it was sent twice' },
    { headers: signed([[SIGNATURE]]), code: 'malformed_header', because: 'a list of lists is not text' },
    { headers: signed([SIGNATURE, 7]), code: 'malformed_header', because: 'a number in a list is not text' },
    { headers: signed(7), code: 'malformed_header', because: 'a number is not text' },
    { headers: signed(true), code: 'malformed_header', because: 'a boolean is not text' },
    { headers: signed({ toString: () => SIGNATURE }), code: 'malformed_header', because: 'no text either' },
    { headers: signed(new String(SIGNATURE)), code: 'malformed_header', because: 'no text either' },
    { headers: signed(Symbol('t')), code: 'malformed_header', because: 'no text either' },
    { headers: odd({ ...all, 'svc-event-id': 7 }), code: 'malformed_header', because: 'an id is text' },
    { headers: odd({ ...all, 'svc-event-type': {} }), code: 'malformed_header', because: 'a type is text' },
    { headers: odd({ ...all, 'svc-origin': [] }), code: 'malformed_header', because: 'no such origin' },
    {
      headers: odd({ ...all, 'svc-origin': '__proto__' }),
      code: 'malformed_header',
      because: 'no such origin',
    },
    {
      headers: { ...all, 'svc-timestamp': [String(NOW), String(NOW)] },
      code: 'timestamp_mismatch',
      because: 'two are not one',
    },
  ])('$headers is $code, because $because', async ({ headers, code }) => {
    expect(await verdict(headers)).toBe(code);
  });

  test.for<{ what: string; headers: unknown }>([
    { what: 'a Request', headers: new Request('https://a.invalid', { headers: all }) },
    { what: 'a Response', headers: new Response(null, { headers: all }) },
    { what: 'a request of node:http', headers: Object.create({ headers: all, rawHeaders: [] }) },
    { what: 'the event of a Lambda', headers: { body: BODY, headers: all } },
    { what: 'a Map', headers: new Map(Object.entries(all)) },
    { what: 'a Map, as it was spelled', headers: new Map([['Svc-Signature', SIGNATURE]]) },
    { what: 'URLSearchParams', headers: new URLSearchParams(all) },
    { what: 'a list of pairs', headers: Object.entries(all) },
    { what: "node's rawHeaders", headers: Object.entries(all).flat() },
    { what: 'text', headers: `svc-signature: ${SIGNATURE}` },
    { what: 'the value of the signature header', headers: SIGNATURE },
    { what: 'a promise', headers: Promise.resolve(all) },
    { what: 'a function', headers: () => all },
    { what: 'true', headers: true },
  ])('$what holds no headers: invalid_header', async ({ headers }) => {
    await expect(verdict(odd(headers))).rejects.toThrow(OptionError);
    await expect(verdict(odd(headers))).rejects.toMatchObject({ code: 'invalid_header' });
  });

  test('a v1 is compared by whole code units', async () => {
    const disguised = (digit: string, plane: number) => String.fromCharCode(digit.charCodeAt(0) + plane);
    for (const plane of [0x100, 0x200, 0xff00]) {
      for (const at of [0, 31, 63]) {
        const v1 = MAC.slice(0, at) + disguised(MAC.charAt(at), plane) + MAC.slice(at + 1);
        expect(await verdict(signed(`t=${NOW},v1=${v1}`))).toBe('signature_mismatch');
      }
      const all = Array.from(MAC, (digit) => disguised(digit, plane)).join('');
      expect(await verdict(signed(`t=${NOW},v1=${all}`))).toBe('signature_mismatch');
    }
  });

  test('what is handed in may be used again at once', async () => {
    const body = new TextEncoder().encode(BODY);
    const headers: Record<string, string> = { ...all };
    const pending = runtime.createVerifier({ secrets: SECRET, now: () => NOW })(body, headers);
    body.fill(0);
    for (const name of Object.keys(headers)) headers[name] = 'another';
    expect(await pending).toEqual(told);
  });

  test('__proto__ and constructor are names like others', async () => {
    const hostile = JSON.parse(`{"__proto__":{"svc-signature":"${SIGNATURE}"},"constructor":"x"}`) as object;
    expect(await verdict(odd(hostile))).toBe('missing_header');
    expect(await verdict(odd({ ...hostile, 'svc-signature': SIGNATURE }))).toEqual(bare);
  });

  test('a header called get is no method', async () => {
    expect(await verdict({ get: 'x', ...all })).toEqual(told);
  });

  test('Headers that were appended to twice are malformed', async () => {
    const headers = new Headers({ 'Svc-Signature': SIGNATURE });
    headers.append('Svc-Signature', SIGNATURE);
    expect(await verdict(headers)).toBe('malformed_header');
  });

  test('a header is read once', async () => {
    let reads = 0;
    const headers = {
      get 'svc-signature'() {
        return reads++ === 0 ? SIGNATURE : `t=${NOW},v1=${'0'.repeat(64)}`;
      },
    };
    expect(await verdict(headers)).toEqual(bare);
    expect(reads).toBe(1);
  });

  test('a brand of the receiver matches in any case', async () => {
    expect(await verdict({ 'Acme-Signature': SIGNATURE }, { brand: 'ACME' })).toEqual(bare);
  });

  test.for([
    { age: 300, options: {}, code: null },
    { age: 301, options: {}, code: 'timestamp_too_old' },
    { age: 300.5, options: {}, code: 'timestamp_too_old' },
    { age: 1, options: { toleranceSeconds: 0 }, code: 'timestamp_too_old' },
    { age: 1e9, options: { toleranceSeconds: Infinity }, code: null },
    { age: -1e9, options: {}, code: null },
    { age: -30, options: { futureToleranceSeconds: 30 }, code: null },
    { age: -31, options: { futureToleranceSeconds: 30 }, code: 'timestamp_in_future' },
    { age: -1, options: { futureToleranceSeconds: 0 }, code: 'timestamp_in_future' },
    { age: NaN, options: {}, code: 'timestamp_too_old' },
    { age: NaN, options: { toleranceSeconds: Infinity }, code: 'timestamp_too_old' },
    { age: Infinity, options: { toleranceSeconds: Infinity }, code: 'timestamp_too_old' },
    { age: -Infinity, options: {}, code: 'timestamp_too_old' },
    { age: NOW * 999, options: {}, code: 'timestamp_too_old' },
  ])('$age s old under $options: $code', async ({ age, options, code }) => {
    const result = await verdict(all, { ...options, now: () => NOW + age });
    expect(result).toEqual(code ?? told);
  });

  test.for([
    { toleranceSeconds: -1 },
    { toleranceSeconds: NaN },
    { toleranceSeconds: '300' },
    { toleranceSeconds: null },
    { futureToleranceSeconds: -1 },
    { futureToleranceSeconds: NaN },
    { futureToleranceSeconds: 60n },
    { now: NOW },
    { now: null },
    { now: new Date() },
    { tolerance: 5 },
    { toleranceMs: 5 },
  ])('%o is invalid_option', (options) => {
    const create = () => runtime.createVerifier({ secrets: SECRET, ...options } as never);
    expect(create).toThrow(OptionError);
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_option' }));
  });

  test.for([String(NOW), BigInt(NOW), new Date(NOW * 1_000), Promise.resolve(NOW), null, undefined, {}])(
    'a clock that returns %o refuses all',
    async (time) => {
      const options = { now: () => time as number, toleranceSeconds: Infinity };
      expect(await verdict(all, options)).toBe('timestamp_too_old');
    },
  );

  test('a failed check is an error of the family', async () => {
    const verify = runtime.createVerifier({ secrets: SECRET });
    const error: unknown = await (async () => verify(BODY, {}))().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SignatureError);
    expect(error).toBeInstanceOf(HeadgateError);
    expect(error).toMatchObject({ name: 'SignatureError', code: 'missing_header' });
  });

  test('16 wrong ones before it do not hide a right secret, nor 15 a right v1', async () => {
    const secrets = [...Array.from({ length: 15 }, (_, i) => `wrong ${i}`), SECRET];
    const signature = `t=${NOW},${'v1=nonsense,'.repeat(15)}v1=${MAC}`;
    expect(await verdict(signed(signature), { secrets })).toEqual(bare);
  });

  test('a megabyte of header is read in no time', async () => {
    const parts = `t=${NOW}${`,v1=${'0'.repeat(64)}`.repeat(15_000)}${',x=y'.repeat(15_000)}`;
    expect(await verdict(signed(parts))).toBe('signature_mismatch');
  });

  describe('by the clock of the system', () => {
    afterEach(() => vi.useRealTimers());

    test.for([
      { ms: (NOW + 300) * 1000 + 999, code: null, because: 'the clock counts whole seconds' },
      { ms: (NOW + 301) * 1000, code: 'timestamp_too_old', because: 'that is 301 s' },
    ])('$ms ms: $code, because $because', async ({ ms, code }) => {
      vi.useFakeTimers({ now: ms, toFake: ['Date'] });
      expect(await verdict(all, { now: undefined })).toEqual(code ?? told);
    });
  });
});

function omit(record: Record<string, string>, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function mapValues<V>(record: Record<string, string>, change: (value: string) => V): Record<string, V> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function withGetters(record: Record<string, string>): object {
  const getters = mapValues(record, (value) => ({ get: () => value, enumerable: true }));
  return Object.defineProperties({}, getters);
}
