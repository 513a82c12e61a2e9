/** A look-up of the host, which may do anything. */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { response } from '../../hostile/receivers.js';
import { loopbackTransport, post, receiver } from './receivers.js';
import { expectOwnWords } from './vocabulary.js';

const as = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

/** A look-up that calls back with these, of whatever types. */
const answeringWith =
  (...results: readonly unknown[]): LookupFunction =>
  (_hostname, _options, callback) =>
    void setImmediate(() => (callback as (...any: readonly unknown[]) => void)(...results));

/** A look-up of whatever types; the transport takes it from a host that may not be written in TypeScript. */
const untyped = (lookup: (...any: readonly never[]) => unknown): LookupFunction => lookup as LookupFunction;

/** Look-ups that do not keep to their contract, and the code that says so. */
const nonsense: readonly { does: string; lookup: LookupFunction; code: string }[] = [
  { does: 'calls back with nothing', lookup: answeringWith(), code: 'ENODATA' },
  { does: 'calls back with no answer', lookup: answeringWith(null), code: 'ENODATA' },
  { does: 'calls back with null', lookup: answeringWith(null, null), code: 'ENODATA' },
  { does: 'calls back with an empty list', lookup: answeringWith(null, []), code: 'ENODATA' },
  { does: 'calls back with a number', lookup: answeringWith(null, 5), code: 'EBADRESP' },
  { does: 'calls back with a list of nothing', lookup: answeringWith(null, [undefined]), code: 'EBADRESP' },
  { does: 'calls back with an object without address', lookup: answeringWith(null, [{}]), code: 'EBADRESP' },
  { does: 'fails with a text', lookup: answeringWith('ENOTFOUND secret'), code: 'unknown error' },
  { does: 'fails with a number', lookup: answeringWith(7), code: 'unknown error' },
  {
    does: 'fails with an object that has a code',
    lookup: answeringWith({ code: 'EAI_AGAIN' }),
    code: 'EAI_AGAIN',
  },
  { does: 'fails with a code of its own', lookup: answeringWith({ code: 'sk_live' }), code: 'unknown error' },
  {
    does: 'throws',
    lookup: () => {
      throw new Error('broken');
    },
    code: 'unknown error',
  },
  {
    does: 'is async and rejects',
    lookup: untyped(() => Promise.reject(Object.assign(new Error('secret'), { code: 'ESERVFAIL' }))),
    code: 'ESERVFAIL',
  },
  {
    does: 'fails at once',
    lookup: (_hostname, _options, callback) => callback(new Error('x'), []),
    code: 'unknown error',
  },
];

/** How a look-up is going to call back: with each of `results` in turn. */
interface Call {
  readonly when: 'at once' | 'later' | 'never' | 'by throwing' | 'by rejecting';
  readonly results: readonly (readonly unknown[])[];
}

const calling = (next: () => Call): LookupFunction =>
  untyped((_hostname: string, _options: unknown, callback: (...any: readonly unknown[]) => void): unknown => {
    const { when, results } = next();
    const call = (): void => results.forEach((result) => callback(...result));
    const fail = (): void => {
      throw results[0]?.[0];
    };
    if (when === 'at once') call();
    if (when === 'later') setImmediate(call);
    if (when === 'by throwing') fail();
    return when === 'by rejecting' ? Promise.resolve().then(fail) : undefined;
  });

const address = fc.oneof(fc.constantFrom('10.0.0.1', '127.0.0.2', '::1', 'fe80::1%lo', ''), fc.string());
const answer = fc.oneof(
  fc.anything(),
  address,
  fc.array(
    fc.oneof(fc.record({ address: fc.oneof(address, fc.anything()), family: fc.anything() }), address),
  ),
);
const anyCall: fc.Arbitrary<Call> = fc.record({
  when: fc.constantFrom('at once', 'later', 'later', 'never', 'by throwing', 'by rejecting'),
  results: fc.array(
    fc.oneof(
      fc.array(fc.anything(), { maxLength: 4 }),
      fc.tuple(fc.constantFrom(null, undefined), answer, fc.anything()),
    ),
    { maxLength: 3 },
  ),
});

/** Lets 127.0.0.1 through and nothing else of the loopback, so that both sides of the guard are real sockets. */
const allow = ['127.0.0.1/32'];

describe('a look-up', () => {
  test.for(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ETIMEOUT', 'ESERVFAIL'])(
    'that fails with %s is a dns_failure',
    async (code) => {
      const lookup: LookupFunction = (_hostname, _options, callback) =>
        callback(Object.assign(new Error('secret text'), { code }), []);
      const outcome = await post(loopbackTransport({ lookup }), 'http://hooks.test/');
      expect(outcome).toEqual({
        ok: false,
        failure: 'dns_failure',
        transient: true,
        detail: `hooks.test could not be resolved (${code})`,
      });
    },
  );

  test('without an answer is a dns_failure', async () => {
    const outcome = await post(loopbackTransport({ lookup: answeringWith(null, []) }), 'http://hooks.test/');
    expect(outcome).toMatchObject({ failure: 'dns_failure' });
  });

  test('that never returns ends with the attempt', async () => {
    const outcome = await post(
      loopbackTransport({ lookup: () => undefined, timeoutMs: 50 }),
      'http://hooks.test/',
    );
    expect(outcome).toMatchObject({ failure: 'timeout', transient: true });
  });

  test('that holds up the process is still told from a receiver that does not answer', async () => {
    const lookup: LookupFunction = () => {
      for (const until = Date.now() + 200; Date.now() < until;);
    };
    const outcome = await post(loopbackTransport({ lookup, timeoutMs: 100 }), 'http://hooks.test/');
    expect(outcome).toMatchObject({ failure: 'timeout', detail: 'no answer from DNS within 0.1 s' });
  });

  test.for(nonsense)('that $does is a dns_failure', async ({ lookup, code }) => {
    const outcome = await post(loopbackTransport({ lookup }), 'http://hooks.test/');
    expect(outcome).toEqual({
      ok: false,
      failure: 'dns_failure',
      transient: true,
      detail: `hooks.test could not be resolved (${code})`,
    });
  });

  test('may do anything: the attempt ends with our own words, and nobody connects', async () => {
    const { port, connections } = await receiver(response(200));
    let call: Call = { when: 'at once', results: [] };
    const transport = loopbackTransport({ allow, lookup: calling(() => call), timeoutMs: 50 });
    await fc.assert(
      fc.asyncProperty(anyCall, async (next) => {
        call = next;
        const outcome = await post(transport, `http://hooks.test:${port}/`);
        expect(outcome.ok ? '' : outcome.failure).toMatch(/^(dns_failure|address_refused|timeout)$/);
        expectOwnWords(outcome);
      }),
      { numRuns: 300 },
    );
    expect(connections()).toBe(0);
  });

  test('that answers twice is heard once', async () => {
    const first = await receiver(response(200));
    const lookup: LookupFunction = (_hostname, _options, callback) => {
      callback(null, [as('127.0.0.1')]);
      callback(null, [as('127.0.0.2')]);
      callback(new Error('after all not'), []);
    };
    const transport = loopbackTransport({ allow, lookup });
    expect(await post(transport, `http://hooks.test:${first.port}/`)).toMatchObject({ ok: true });
  });

  test('whose answer changes once it was judged changes nothing', async () => {
    const { port, connections } = await receiver(response(200));
    const lookup: LookupFunction = (_hostname, _options, callback) => {
      let read = 0;
      const answer = {
        family: 4,
        get address() {
          return read++ === 0 ? '127.0.0.1' : '127.0.0.2';
        },
      };
      callback(null, [answer]);
      process.nextTick(() => Object.defineProperty(answer, 'address', { value: '127.0.0.2' }));
    };
    expect(await post(loopbackTransport({ allow, lookup }), `http://hooks.test:${port}/`)).toMatchObject({
      ok: true,
    });
    expect(connections()).toBe(1);
  });

  test('that says the wrong family, or none, is used by what the address is', async () => {
    const { port } = await receiver(response(200));
    for (const family of [6, 0, undefined, 'IPv4', NaN]) {
      const lookup = answeringWith(null, [{ address: '127.0.0.1', family }]);
      expect(await post(loopbackTransport({ lookup }), `http://hooks.test:${port}/`)).toMatchObject({
        ok: true,
      });
    }
  });

  test('that answers with one address alone is judged and used', async () => {
    const { port } = await receiver(response(200));
    const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, '127.0.0.1', 4);
    expect(await post(loopbackTransport({ lookup }), `http://hooks.test:${port}/`)).toMatchObject({
      ok: true,
    });
    const refused = await post(loopbackTransport({ lookup, allow: [] }), `http://hooks.test:${port}/`);
    expect(refused).toMatchObject({ failure: 'address_refused' });
  });
});
