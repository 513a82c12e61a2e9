/** Verification of certificates. */
import type { LookupFunction } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { certificate } from '../../hostile/certificates.js';
import { response } from '../../hostile/receivers.js';
import { loopbackTransport, post, rawReceiver, secureReceiver } from './receivers.js';

const good = certificate(['DNS:hooks.test', 'IP:127.0.0.1']);
const expired = certificate(['DNS:expired.test', 'DNS:hooks.test'], { expired: true });
const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, '127.0.0.1', 4);

describe('with an authority that is trusted', () => {
  test.for(['hooks.test', 'hooks.test.', '127.0.0.1'])('%s is delivered to', async (host) => {
    const { port, requests } = await secureReceiver(response(200), good);
    const transport = loopbackTransport({ lookup, ca: good.cert });
    expect(await post(transport, `https://${host}:${port}/in`)).toEqual({ ok: true, status: 200 });
    expect(requests[0]).toContain(`host: ${host}:${port}`);
  });

  test.for([
    { host: 'other.test', certificate: good, detail: 'the certificate is for another name' },
    { host: 'hooks.test', certificate: expired, detail: 'the certificate has expired' },
  ])('$detail: tls_failure', async ({ host, certificate, detail }) => {
    const { port, requests } = await secureReceiver(response(200), certificate);
    const outcome = await post(
      loopbackTransport({ lookup, ca: certificate.cert }),
      `https://${host}:${port}/in`,
    );
    expect(outcome).toEqual({ ok: false, failure: 'tls_failure', transient: true, detail });
    expect(requests).toEqual([]);
  });

  test('an authority may be one of several', async () => {
    const { port } = await secureReceiver(response(200), good);
    const transport = loopbackTransport({ lookup, ca: [expired.cert, good.cert] });
    expect(await post(transport, `https://hooks.test:${port}/in`)).toMatchObject({ ok: true });
  });
});

describe('with the authorities of Node', () => {
  afterEach(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });

  test.for(['1', '0'])(
    'a self-signed certificate is a tls_failure, NODE_TLS_REJECT_UNAUTHORIZED being %s',
    async (setting) => {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = setting;
      const { url, requests } = await secureReceiver(response(200), good);
      const outcome = await post(loopbackTransport(), url);
      expect(outcome).toMatchObject({ ok: false, failure: 'tls_failure', transient: true });
      expect(outcome).toHaveProperty('detail', expect.stringContaining('self-signed'));
      expect(requests).toEqual([]);
    },
  );
});

test('a receiver that speaks no TLS is a tls_failure', async () => {
  const { port } = await rawReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const outcome = await post(loopbackTransport(), `https://127.0.0.1:${port}/`);
  expect(outcome).toMatchObject({ ok: false, failure: 'tls_failure', transient: true });
  expect(outcome).toHaveProperty('detail', expect.stringContaining('does not speak TLS'));
});

test('a receiver that closes during the handshake is a connection_reset', async () => {
  const { port } = await rawReceiver((socket) => socket.once('data', () => socket.end()));
  const outcome = await post(loopbackTransport(), `https://127.0.0.1:${port}/`);
  expect(outcome).toMatchObject({ ok: false, failure: 'connection_reset', transient: true });
});

test('plain HTTP to a TLS port is a failure of the connection or of the protocol', async () => {
  const { port } = await secureReceiver(response(200), good);
  const outcome = await post(loopbackTransport(), `http://127.0.0.1:${port}/`);
  expect(outcome).toHaveProperty('failure', expect.stringMatching(/^(connection_reset|protocol_error)$/));
});

test('a handshake that never ends is a timeout, and the connection is closed', async () => {
  let closed = (): void => undefined;
  const gone = new Promise<void>((resolve) => (closed = resolve));
  const { port } = await rawReceiver((socket) => socket.resume().on('close', closed));
  const outcome = await post(loopbackTransport({ timeoutMs: 100 }), `https://127.0.0.1:${port}/`);
  expect(outcome).toMatchObject({ failure: 'timeout', transient: true });
  await gone;
});

test('only HTTP/1.1 is offered', async () => {
  const offered = { ...good, ALPNProtocols: ['h2', 'http/1.1'] };
  const { url } = await secureReceiver((socket) => {
    socket.end(response((socket as { alpnProtocol?: string }).alpnProtocol === 'http/1.1' ? 200 : 500));
  }, offered);
  expect(await post(loopbackTransport({ ca: good.cert }), url)).toEqual({ ok: true, status: 200 });
});
