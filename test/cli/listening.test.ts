/** `headgate listen` and `headgate send`, over real sockets. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createSigner } from '../../src/signing/index.js';
import { until } from '../until.js';
import { type Ended, headgate, NOW, objectsIn, type Surroundings } from './session.js';

const SECRET = 'whsec_test';
const EVENT = JSON.stringify({ id: 'evt_1', type: 'ping', data: { a: 'x\u001b[2J' } });

/** A `headgate listen` that runs, and the way to end it. */
async function listening(args: readonly string[], surroundings: Surroundings = {}) {
  const controller = new AbortController();
  let text = '';
  const running = headgate(['listen', '--port', '0', ...args], {
    signal: controller.signal,
    onText: (more) => (text += more),
    ...surroundings,
  });
  let isOver = false;
  void running.then(() => (isOver = true));
  await until(() => isOver || /listening at .*\n/.test(text));
  const url = /listening at (\S+);/.exec(text)?.[1] ?? '';
  const end = (): Promise<Ended> => {
    controller.abort();
    return running;
  };
  onTestFinished(async () => void (await end()));
  return { url, end, text: () => text };
}

test('a delivery that is sent arrives, verified', async () => {
  const { url, end } = await listening(['--secret', SECRET, '--data']);
  const sent = await headgate(['send', `${url}hooks`, 'event.json', '--secret', SECRET], {
    files: { 'event.json': EVENT },
  });
  expect(sent).toMatchObject({ code: 0, err: '' });
  expect(sent.out).toMatch(/^--> ping evt_1 \(\d+ bytes\)\n<-- 204 \d+ ms\n$/);
  const { code, out, err } = await end();
  expect(code).toBe(0);
  expect(out).toMatch(/^--> ping evt_1 verified\n {4}\{"a":"x\\u001b\[2J"\}\n<-- 204 \d+ ms\n$/);
  expect(err).toContain('1 request, 1 genuine delivery');
  expect(out + err).not.toContain(SECRET);
});

test('a delivery with another secret is refused, on both sides', async () => {
  const { url, end } = await listening(['--secret', SECRET]);
  const sent = await headgate(['send', url, '--secret', 'other']);
  expect(sent.code).toBe(1);
  expect(sent.out).toMatch(/<-- 400 http_status \d+ ms: /);
  const { out } = await end();
  expect(out).toMatch(/^--> POST \/ refused signature_mismatch: .*\n<-- 400 \d+ ms\n$/);
});

test.for([
  ['localhost:3000', 'give http://localhost:3000'],
  ['127.0.0.1:3000/hooks', 'give http://127.0.0.1:3000/hooks'],
  ['example.com', 'give http://example.com'],
  ['ftp://example.com', 'URL must begin with http:// or https://'],
  ['', 'URL must begin with http:// or https://'],
])('send %j says what is missing', async ([url = '', cure]) => {
  const { code, out, err } = await headgate(['send', url, '--secret', SECRET]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(cure);
});

test('without a secret it makes one, prints it, and takes deliveries with it', async () => {
  const { url, text, end } = await listening([]);
  const [, secret = ''] = /secret of this run: (\S+)/.exec(text()) ?? [];
  expect(secret).toMatch(/^whsec_[\w+/]{32}$/);
  for (const scheme of ['svc', 'standard_webhooks', 'both']) {
    const sent = await headgate(['send', url, '--secret', secret, '--scheme', scheme], { stdin: EVENT });
    expect(sent).toMatchObject({ code: 0 });
  }
  expect((await end()).code).toBe(0);
});

test('in JSON, each request is one object', async () => {
  const { url, end } = await listening(['--json', '--secret', SECRET]);
  await headgate(['send', url, '-', '--secret', SECRET, '--origin', 'replay'], { stdin: EVENT });
  await fetch(`${url}?q=\u001b[31m`);
  const { out } = await end();
  expect(objectsIn(out)).toEqual([
    expect.objectContaining({
      event_id: 'evt_1',
      event_type: 'ping',
      origin: 'replay',
      verified: true,
      code: null,
      status: 204,
    }),
    expect.objectContaining({ event_id: null, verified: false, code: 'method_not_allowed', status: 405 }),
  ]);
});

test('--answer answers genuine deliveries, and no others', async () => {
  const { url } = await listening(['--secret', SECRET, '--answer', '503']);
  const statusOf = async (secret: string): Promise<unknown> => {
    const { out } = await headgate(['send', url, '--secret', secret, '--json']);
    return (objectsIn(out)[0] as { status: number }).status;
  };
  expect(await statusOf(SECRET)).toBe(503);
  expect(await statusOf('other')).toBe(400);
});

test('what a sender says cannot steer the terminal', async () => {
  const { url, end } = await listening(['--secret', SECRET]);
  const body = JSON.stringify({ id: 'evt_\u001b[2J', type: '\u009b31m\n--> forged', data: {} });
  const about = { eventId: 'a', eventType: 'b', origin: 'live', timestamp: NOW / 1_000 } as const;
  const headers = createSigner({ secrets: SECRET }).headers(body, about);
  await fetch(url, { method: 'POST', headers, body });
  const { out } = await end();
  expect(out.split('\n')).toHaveLength(3);
  expect(out).toContain('--> \\u009b31m\\n--> forged evt_\\u001b[2J verified');
});

test('a port that is in use is named, and a way out', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { code, err } = await headgate(['listen', '--port', String(port), '--secret', 'x']);
  expect(code).toBe(2);
  expect(err).toContain(`port ${port} is in use`);
});

test('it ends when nobody reads its output', async () => {
  const { url, end } = await listening(['--json', '--secret', SECRET], { reads: 0 });
  await headgate(['send', url, '--secret', SECRET]);
  expect((await end()).code).toBe(0);
});

test.for([
  { url: 'http://127.0.0.1:1/', says: 'connection_refused' },
  { url: 'http://[', says: 'url_refused' },
])('send to $url fails with $says', async ({ url, says }) => {
  const { code, out } = await headgate(['send', url, '--secret', SECRET]);
  expect(code).toBe(1);
  expect(out).toContain(`<-- ${says}`);
  const inJson = await headgate(['send', url, '--secret', SECRET, '--json']);
  expect(objectsIn(inJson.out)).toEqual([expect.objectContaining({ ok: false, failure: says })]);
});

test.for([
  [[], {}, 2, 'there is no key: set HEADGATE_KEY'],
  [['--from', 'localhost:8080'], { HEADGATE_KEY: 'hg_x' }, 2, '--from has no http:// or https://'],
  [
    ['--from', 'http://127.0.0.1:1'],
    { HEADGATE_KEY: 'hg_x' },
    2,
    'cannot reach a host at http://127.0.0.1:1: ',
  ],
] as const)('forwarding with %j and %j exits with %i and says "%s"', async ([args, env, code, message]) => {
  const to = ['listen', '--forward-to', 'http://localhost:3000', ...args];
  const ended = await headgate(to, { env });
  expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' });
  expect(ended.err).toContain(message);
  expect(ended.err).not.toContain('hg_x');
});

test.for([
  [401, {}, 'the host does not know this key'],
  [404, 'nothing', 'there is no host of Headgate at '],
  [200, {}, 'there is no host of Headgate at '],
  [200, { project: 'p', scopes: ['read'] }, 'the key needs the scope receive'],
  [200, { project: null, scopes: ['receive'] }, 'this is the key of the operator'],
] as const)('forwarding from a host that answers %i with %j says "%s"', async ([status, body, message]) => {
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { code, err } = await headgate(['listen', '--forward-to', from, '--from', from], {
    env: { HEADGATE_KEY: 'hg_x' },
  });
  expect(code).toBe(2);
  expect(err).toContain(message);
});
