/** Signing in through a proxy that speaks TLS, while the service itself speaks plain HTTP. */
import { once } from 'node:events';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../test/free-port.js';
import { certificate } from '../../../../test/hostile/certificates.js';
import { newFolder, startService } from '../runtime/service.js';

const NAME = 'hooks.example.com';

/** A proxy before a service, at a name. It passes `Host` on, and adds headers. */
async function tlsProxy(before: string, headers: Readonly<Record<string, string>>) {
  const certified = certificate([`DNS:${NAME}`]);
  const proxy = createServer(certified, (incoming, answer) => {
    const { method, url: path } = incoming;
    const passed = plainRequest(before + (path ?? ''), {
      method,
      headers: { ...incoming.headers, ...headers },
    });
    passed.on('response', (got) => {
      answer.writeHead(got.statusCode ?? 0, got.headers);
      got.pipe(answer);
    });
    incoming.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const { port } = proxy.address() as AddressInfo;
  const send = async (method: string, path: string, sent: object, body?: object) => {
    const call = request({
      ...{ host: '127.0.0.1', port, servername: NAME, ca: certified.cert, method, path },
      headers: { host: NAME, 'content-type': 'application/json', ...sent },
    });
    call.end(body && JSON.stringify(body));
    const [got] = (await once(call, 'response')) as [IncomingMessage];
    return { status: got.statusCode, cookie: got.headers['set-cookie']?.[0] ?? '', text: await text(got) };
  };
  return { send };
}

test.for([
  ['names its public origin', { PUBLIC_URL: `https://${NAME}` }, {}],
  [
    'does not, and whose proxy adds headers',
    {},
    { 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.0.0.1' },
  ],
] as const)(
  'a service that %s gives a secure cookie, and takes changes from its pages',
  async ([, own, added]) => {
    const port = await freePort();
    const local = `http://127.0.0.1:${port}`;
    const service = startService({ HEADGATE_DATA: join(newFolder(), 'data'), PORT: `${port}`, ...own });
    const { send } = await tlsProxy(local, added);
    await expect.poll(() => service.printed.err).toContain('hg_once_');
    const [, token] = /#token=(\w+)/.exec(service.printed.err) ?? [];
    const begun = await send('POST', '/session', { origin: `https://${NAME}` }, { token });
    expect(begun.status, begun.text).toBe(201);
    expect(begun.cookie).toMatch(
      /^__Host-headgate=hg_ses_\w{49}; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/,
    );

    const [cookie = ''] = begun.cookie.split(';');
    const project = (JSON.parse(begun.text) as { project: string }).project;
    const make = (sent: object) =>
      send('POST', `/projects/${project}/channels`, { cookie, ...sent }, { name: 'in' });
    expect((await make({ origin: `https://${NAME}` })).status).toBe(201);
    expect((await make({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    for (const origin of [`http://${NAME}`, 'https://elsewhere.example', local]) {
      expect([origin, (await make({ origin })).status]).toEqual([origin, 403]);
    }
    expect((await make({})).status).toBe(403);
    // A cookie by the other name, which needs no TLS, is not a session here.
    const planted = cookie.replace('__Host-headgate', 'headgate');
    expect((await send('GET', '/session', { cookie: planted })).status).toBe(401);
  },
);
