import { createSocket } from 'node:dgram';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLookup } from '../../../src/adapters/http/index.js';
import { loopbackTransport, post, receiver, response } from './receivers.js';

const TYPE_A = 1;

/** What a name has; a type that is left out is never answered, an empty list says "no such record". */
interface Records {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
}

/** A DNS server on the loopback; names it does not know get no answer at all. */
async function nameServer(
  records: Readonly<Record<string, Records>>,
): Promise<{ address: string; questions: string[] }> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = question(query);
    questions.push(name);
    const found = type === TYPE_A ? records[name]?.a : records[name]?.aaaa;
    if (found) socket.send(answer(query.subarray(0, end), type, found), from.port, from.address);
  });
  onTestFinished(() => void socket.close());
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${socket.address().port}`, questions };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(query: Buffer, type: number, addresses: readonly string[]): Buffer {
  const header = Buffer.from(query);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt32BE(addresses.length, 6);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  const data = addresses.map((address) => (type === TYPE_A ? ipv4(address) : ipv6(address)));
  const rows = data.map((bytes) => {
    const row = Buffer.alloc(12);
    row.writeUInt16BE(0xc00c, 0);
    row.writeUInt16BE(type, 2);
    row.writeUInt16BE(1, 4);
    row.writeUInt32BE(60, 6);
    row.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([row, bytes]);
  });
  return Buffer.concat([header, ...rows]);
}

const ipv4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number));
const ipv6 = (address: string): Buffer => Buffer.from(address.replaceAll(':', ''), 'hex');

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
  ])('are found, and soon, when $because', { timeout: 1_500 }, async ({ records }) => {
    const { address } = await nameServer({ 'hooks.test': records });
    const found = await resolve(createLookup({ servers: [address] }), 'hooks.test', true);
    expect(found).toEqual([{ address: '8.8.8.8', family: 4 }]);
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
