/** Names whose addresses change, and the guard that checks them. */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createAddressGuard } from '../../../src/adapters/http/address-guard.js';
import { createConnector } from '../../../src/adapters/http/connect.js';
import { createHttpTransport } from '../../../src/adapters/http/index.js';
import { response } from '../../hostile/receivers.js';
import { loopbackTransport, post, receiver } from './receivers.js';

const as = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

/** A look-up that gives one set of answers after another, and stays with the last. */
function answering(...rounds: readonly (readonly string[])[]): LookupFunction & { asked: string[] } {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, _options, callback) => {
    const round = rounds[Math.min(asked.length, rounds.length - 1)] ?? [];
    asked.push(hostname);
    setImmediate(() => callback(null, round.map(as)));
  };
  return Object.assign(lookup, { asked });
}

/** Lets 127.0.0.1 through and nothing else of the loopback, so that both sides of the guard are real sockets. */
const allow = ['127.0.0.1/32'];

test('a name that resolves to an allowed address is delivered to, under its own name', async () => {
  const { port, requests } = await receiver(response(200));
  const outcome = await post(
    loopbackTransport({ lookup: answering(['127.0.0.1']) }),
    `http://hooks.test:${port}/in`,
  );
  expect(outcome).toEqual({ ok: true, status: 200 });
  expect(requests[0]).toContain(`host: hooks.test:${port}\r\n`);
});

test.for([
  { answers: ['127.0.0.2'], because: 'the only answer is refused' },
  { answers: ['127.0.0.2', '127.0.0.1'], because: 'the first answer is refused' },
  { answers: ['127.0.0.1', '127.0.0.2'], because: 'the last answer is refused' },
  { answers: ['127.0.0.1', '::1'], because: 'one answer of another family is refused' },
  { answers: ['127.0.0.1', '::ffff:127.0.0.2'], because: 'one answer is refused in disguise' },
  { answers: ['127.0.0.1', 'nonsense'], because: 'one answer is no address' },
  { answers: ['fe80::1%lo'], because: 'the answer has a zone' },
])('$answers: refused, since $because', async ({ answers }) => {
  const { port, connections } = await receiver(response(200));
  const transport = loopbackTransport({ allow, lookup: answering(answers) });
  const outcome = await post(transport, `http://hooks.test:${port}/in`);
  expect(outcome).toMatchObject({ ok: false, failure: 'address_refused', transient: false });
  expect(connections()).toBe(0);
});

test('a refusal tells strangers nothing about the network: no address, only what kind it is', async () => {
  const transport = createHttpTransport({ lookup: answering(['10.1.2.3']) });
  const outcome = await post(transport, 'http://db.internal.test/');
  expect(outcome).toHaveProperty(
    'detail',
    'db.internal.test is, or resolves to, an address that is not public (private); use one that is',
  );
  await transport.close();
});

test('a name that is rebound between two attempts is refused from then on', async () => {
  const { port, connections } = await receiver((socket) =>
    socket.end(response(200, '', 'Connection: close\r\n')),
  );
  const lookup = answering(['127.0.0.1'], ['127.0.0.2']);
  const transport = loopbackTransport({ allow, lookup });
  expect(await post(transport, `http://hooks.test:${port}/`)).toMatchObject({ ok: true });
  expect(await post(transport, `http://hooks.test:${port}/`)).toMatchObject({ failure: 'address_refused' });
  expect(connections()).toBe(1);
});

test('the address judged is the address connected: one look-up for one connection', async () => {
  const { port } = await receiver(response(200));
  const lookup = answering(['127.0.0.1'], ['127.0.0.2']);
  expect(await post(loopbackTransport({ allow, lookup }), `http://hooks.test:${port}/`)).toMatchObject({
    ok: true,
  });
  expect(lookup.asked).toEqual(['hooks.test']);
});

describe('a connection that is asked for behind the back of the URL check', () => {
  test.for(['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254'])(
    'to %s is refused all the same',
    async (hostname) => {
      const lookup = answering(['127.0.0.1']);
      const connector = createConnector({
        guard: createAddressGuard(),
        lookup,
        ca: undefined,
        timeoutMs: 1_000,
      });
      const error = await new Promise((resolve) => {
        connector.connect({ hostname, protocol: 'http:', port: '80' }, (...result) => resolve(result[0]));
      });
      expect(error).toMatchObject({
        message: expect.stringContaining('an address that is not public'),
      });
      expect(connector.open.size).toBe(0);
    },
  );
});

test.for([
  ['http://127.0.0.1:1/', 'address_refused'],
  ['http://[::1]:1/', 'address_refused'],
  ['http://localhost/', 'address_refused'],
  ['ftp://example.com/', 'url_refused'],
  ['http://user:secret@example.com/', 'url_refused'],
  ['nonsense', 'url_refused'],
] as const)('%s is refused before anything is looked up: %s', async ([url, failure]) => {
  const lookup = answering(['127.0.0.1']);
  const transport = createHttpTransport({ lookup });
  const outcome = await post(transport, url);
  expect(outcome).toMatchObject({ ok: false, failure, transient: false });
  expect(outcome).toHaveProperty('detail', expect.not.stringContaining('secret'));
  expect(lookup.asked).toEqual([]);
  await transport.close();
});
