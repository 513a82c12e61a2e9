/** The memory that callers can make a host hold: hundreds of connections, which stop sending or do not read. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { ADMIN_KEY, type HostWorld, hostOn } from '../world.js';

const [sqlite] = databases();
const BUFFER = 33_554_432;
const CONNECTIONS = 300;
const MEBIBYTE = 1_048_576;

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const started = async (environment: Readonly<Record<string, string>> = {}): Promise<HostWorld> =>
  hostOn(await sqlite!.open(), { HEADGATE_BUFFER_BYTES: `${BUFFER}`, ...environment });

/** A connection by which a request is sent, and what has come back so far. */
interface Caller {
  readonly socket: Socket;
  readonly text: () => string;
}

async function call({ url }: HostWorld, head: string, body = ''): Promise<Caller> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname });
  sockets.push(socket);
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  await once(socket, 'connect');
  socket.write(`${head}\r\nHost: x\r\n\r\n${body}`);
  return { socket, text: () => text };
}

const many = (work: () => Promise<Caller>, count = CONNECTIONS): Promise<Caller[]> =>
  Promise.all(Array.from({ length: count }, work));

/** Bytes that the ledger counts, as the operator sees them. */
async function buffered({ call: ask }: HostWorld): Promise<number> {
  const { text } = await ask('GET', '/metrics', undefined, { key: ADMIN_KEY });
  return Number(/^headgate_buffer_bytes (\d+)$/m.exec(text)?.[1]);
}

const statuses = (callers: readonly Caller[]): readonly string[] =>
  callers.map(({ text }) => text().slice(9, 12));

const post = (path: string, length: number, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${length}${more}`;

/** The answer to a scrape is charged while it is made. */
const NOTHING = 20_000;

describe('callers without a key', () => {
  test('learn at once that a body is too large to sign in with', async () => {
    const host = await started();
    const all = await many(() => call(host, post('/session', MEBIBYTE), '{'));
    await expect.poll(() => new Set(statuses(all))).toEqual(new Set(['413']));
    expect(await buffered(host)).toBeLessThan(NOTHING);
  });

  test('make the host hold no more than they announce, and give it back when they go', async () => {
    const host = await started();
    const all = await many(() => call(host, post('/session', 1_000), '{'));
    await expect.poll(() => buffered(host)).toBeGreaterThanOrEqual(CONNECTIONS * 1_000);
    expect(await buffered(host)).toBeLessThan(CONNECTIONS * 1_000 + NOTHING);
    for (const { socket } of all) socket.destroy();
    await expect.poll(() => buffered(host)).toBeLessThan(NOTHING);
  });

  test('cannot hide the length of a body in chunks', async () => {
    const host = await started();
    const chunked = 'POST /session HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
    const all = await many(() => call(host, chunked, `1000\r\n${'x'.repeat(4_096)}\r\n`));
    await expect.poll(() => new Set(statuses(all))).toEqual(new Set(['413']));
    expect((await host.call('GET', `/projects/${host.project}`)).status).toBe(200);
  });
});

describe('callers with a key', () => {
  const authorized = ({ key }: HostWorld): string => `\r\nAuthorization: Bearer ${key}`;

  test.for([
    ['rules', (project: string) => `/projects/${project}/rules`, MEBIBYTE],
    ['imports', (project: string) => `/projects/${project}/rules/import`, 10 * MEBIBYTE],
  ] as const)('hold half of the buffer with bodies of %s that do not come', async ([, pathOf, bytes]) => {
    const host = await started();
    const head = post(pathOf(host.project), bytes, authorized(host));
    const all = await many(() => call(host, head, 'x'));
    const held = Math.floor(BUFFER / 2 / bytes);
    await expect
      .poll(() => statuses(all).filter((status) => status === '503'))
      .toHaveLength(CONNECTIONS - held);
    const refused = all.find(({ text }) => text() !== '')!.text();
    expect(refused).toMatch(/retry-after: 1\r\n/i);
    expect(refused).toContain('"code":"overloaded"');
    expect(await buffered(host)).toBeLessThan(BUFFER / 2 + NOTHING);
    // Others have room, and so do callers that ask for little.
    const other = await host.call('POST', '/projects', { name: 'Other', plan: 'pro' }, { key: ADMIN_KEY });
    const { project, key } = other.json as { project: { id: string }; key: string };
    const rules = `/projects/${project.id}/rules`;
    expect((await host.call('POST', rules, { name: 'x'.repeat(100_000) }, { key })).status).toBe(422);
    for (const { socket } of all) socket.destroy();
    await expect.poll(() => buffered(host)).toBeLessThan(NOTHING);
  });

  test('hold half of the buffer with bodies in chunks, whose length nobody knows', async () => {
    const host = await started();
    const head = `POST /projects/${host.project}/rules HTTP/1.1\r\nContent-Type: application/json${authorized(host)}`;
    const size = 1_000_000;
    const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
    const all = await many(() => call(host, `${head}\r\nTransfer-Encoding: chunked`, chunk), 24);
    await expect
      .poll(() => statuses(all).filter((status) => status === '503').length)
      .toBeGreaterThanOrEqual(8);
    expect(await buffered(host)).toBeLessThan(BUFFER / 2 + NOTHING);
  });

  test('hold half of the buffer with answers that they do not read; a change is answered in any case', async () => {
    const host = await started({ HEADGATE_MAX_BODY_BYTES: `${8 * MEBIBYTE}` });
    const channel = await host.channel();
    const { json } = await host.send(channel.url, JSON.stringify('x'.repeat(3 * MEBIBYTE)));
    const event = `/projects/${host.project}/events/${json.id}`;
    const large = (await host.call('GET', event)).text.length;
    expect(large).toBeGreaterThan(3 * MEBIBYTE);
    let most = 0;
    // The kernel takes some of each answer, and the host holds the rest.
    await expect
      .poll(async () => {
        const { socket } = await call(host, `GET ${event} HTTP/1.1${authorized(host)}`);
        socket.pause();
        most = Math.max(most, await buffered(host));
        return (await host.call('GET', event)).json.code;
      })
      .toBe('overloaded');
    expect(most).toBeGreaterThan(large);
    expect(most).toBeLessThan(BUFFER / 2 + NOTHING);
    expect((await host.call('POST', `/projects/${host.project}/channels`, { name: 'more' })).status).toBe(
      201,
    );
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => buffered(host)).toBeLessThan(NOTHING);
    expect((await host.call('GET', event)).json.id).toBe(json.id);
  });
});

test('a sender of webhooks is refused beyond the half of its project, and others are not', async () => {
  const host = await started();
  const channel = await host.channel();
  const { pathname } = new URL(channel.url);
  const all = await many(() => call(host, post(pathname, 1_000_000), '{'), 12);
  await expect.poll(() => buffered(host)).toBeGreaterThanOrEqual(12 * 1_000_000);
  expect((await host.send(channel.url, { a: 1 })).status).toBe(202);
  for (const { socket } of all) socket.destroy();
  await expect.poll(() => buffered(host)).toBeLessThan(NOTHING);
});
