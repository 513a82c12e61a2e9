/** The default look-up of host names, against a DNS server of the test. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLookup } from '../../../src/adapters/http/index.js';
import { type NameServer, openNameServer, type Zone } from '../../hostile/name-server.js';
import { response } from '../../hostile/receivers.js';
import { loopbackTransport, post, receiver } from './receivers.js';

/** A name server that is closed when the test ends. */
async function nameServer(zone: Zone): Promise<NameServer> {
  const server = await openNameServer(zone);
  onTestFinished(() => server.close());
  return server;
}

const resolve = (lookup: ReturnType<typeof createLookup>, name: string, all: boolean): Promise<unknown> =>
  new Promise((done) => {
    lookup(name, { all }, (error, address, family) =>
      done(error ? error.code : all ? address : { address, family }),
    );
  });

describe('names', () => {
  test('get all their addresses of both families', async () => {
    const v6 = '2606:4700:0000:0000:0000:0000:0000:1111';
    const { address } = await nameServer({ 'hooks.test': { a: ['8.8.8.8', '8.8.4.4'], aaaa: [v6] } });
    const lookup = createLookup({ servers: [address] });
    const found = (await resolve(lookup, 'hooks.test', true)) as { address: string }[];
    expect(found.map((entry) => entry.address).sort()).toEqual(['2606:4700::1111', '8.8.4.4', '8.8.8.8']);
    expect(await resolve(lookup, 'hooks.test', false)).toMatchObject({ family: expect.any(Number) });
  });

  test.for([
    { records: { a: ['8.8.8.8'], aaaa: [] }, because: 'there is no IPv6 address' },
    { records: { a: ['8.8.8.8'] }, because: 'the question for IPv6 is never answered' },
  ])('are found, and soon, when $because', { timeout: 10_000 }, async ({ records }) => {
    const { address } = await nameServer({ 'hooks.test': records });
    const startedAt = performance.now();
    const found = await resolve(createLookup({ servers: [address] }), 'hooks.test', true);
    expect(found).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(performance.now() - startedAt).toBeLessThan(6_000); // the questions themselves end after 14 s
  });

  test('of which the second family comes much later are used without it, now and afterwards', async () => {
    const late = { a: ['127.0.0.1'], aaaa: ['fd000000000000000000000000000001'], aaaaAfterMs: 1_500 };
    const { address, questions } = await nameServer({ 'hooks.test': late });
    const found = await resolve(createLookup({ servers: [address] }), 'hooks.test', true);
    await vi.waitUntil(() => questions.length === 2);
    await setTimeout(1_000); // the late answer has come
    expect(found).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });

  test('without an address fail with the code of DNS', async () => {
    const { address } = await nameServer({ 'hooks.test': { a: [], aaaa: [] } });
    expect(await resolve(createLookup({ servers: [address] }), 'hooks.test', true)).toBe('ENODATA');
  });

  test.for(['localhost', 'LOCALHOST', 'localhost.', 'api.localhost'])(
    '%s is loopback, unasked',
    async (name) => {
      const { address, questions } = await nameServer({});
      const found = await resolve(createLookup({ servers: [address] }), name, true);
      expect(found).toEqual([
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
      expect(questions).toEqual([]);
    },
  );
});

test.for([
  {
    aaaaAfterMs: 300,
    outcome: { failure: 'address_refused' },
    because: 'is waited for, and refuses the name',
  },
  { aaaaAfterMs: 1_500, outcome: { ok: true, status: 200 }, because: 'is never connected to' },
])(
  'a private address that comes $aaaaAfterMs ms after a public one $because',
  async ({ aaaaAfterMs, outcome }) => {
    const { port, connections } = await receiver(response(200));
    const { address } = await nameServer({
      // Loopback too, where nothing but this guard keeps a connection away.
      'hooks.test': { a: ['127.0.0.1'], aaaa: ['00000000000000000000000000000001'], aaaaAfterMs },
    });
    const lookup = createLookup({ servers: [address] });
    const transport = loopbackTransport({ allow: ['127.0.0.1/32'], lookup });
    expect(await post(transport, `http://hooks.test:${port}/`)).toMatchObject(outcome);
    expect(connections()).toBe('ok' in outcome ? 1 : 0);
  },
);

test('a hundred names whose servers never answer hold up nobody else', async () => {
  const { address } = await nameServer({ 'good.test': { a: ['127.0.0.1'], aaaa: [] } });
  const { port } = await receiver(response(200));
  const transport = loopbackTransport({ lookup: createLookup({ servers: [address] }) });
  const abandon = new AbortController();
  const stuck = Array.from({ length: 100 }, (_, n) =>
    post(transport, `http://slow${n}.test/`, abandon.signal),
  );
  expect(await post(transport, `http://good.test:${port}/`)).toEqual({ ok: true, status: 200 });
  abandon.abort();
  const outcomes = await Promise.all(stuck);
  expect(new Set(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.detail)))).toEqual(
    new Set(['the sender stopped before the receiver had answered']),
  );
});
