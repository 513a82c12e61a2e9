/** Receivers on the loopback, from well-behaved to hostile, for the transport to meet. */
import { generateKeyPairSync } from 'node:crypto';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import tls from 'node:tls';
import type { TlsOptions } from 'node:tls';
import forge from 'node-forge';
import { onTestFinished } from 'vitest';
import { createHttpTransport } from '../../../src/adapters/http/index.js';
import type { HttpTransportOptions } from '../../../src/adapters/http/index.js';
import type { AttemptOutcome, Transport } from '../../../src/delivery/transport.js';

const { md, pki } = forge;

/** A listening server; it is closed when the test ends. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  /** Connections accepted so far. */
  readonly connections: () => number;
  /** Connections open now. */
  readonly open: () => number;
  /** Requests received so far, as text. */
  readonly requests: readonly string[];
  /** Ends every connection. */
  readonly close: () => Promise<void>;
}

/** What a receiver does with a socket once a whole request has arrived; a string is written as it stands. */
export type Answer = string | Buffer | ((socket: Socket, request: string) => void);

const listen = (server: net.Server, scheme: string, requests: string[]): Promise<Receiver> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  };
  onTestFinished(close);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const url = `${scheme}://127.0.0.1:${port}/in`;
      resolve({ port, url, connections: () => connections, open: () => sockets.size, requests, close });
    });
  });
};

const serve = (answer: Answer, requests: string[]) => {
  return (socket: Socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (head < 0 || text.length < head + 4 + length) return;
      const request = text;
      text = '';
      requests.push(request);
      if (typeof answer === 'function') answer(socket, request);
      else socket.write(answer);
    });
  };
};

/** A server for plain HTTP. */
export const receiver = (answer: Answer): Promise<Receiver> => {
  const requests: string[] = [];
  return listen(net.createServer(serve(answer, requests)), 'http', requests);
};

/** A server for HTTP over TLS. */
export const secureReceiver = (answer: Answer, options: TlsOptions): Promise<Receiver> => {
  const requests: string[] = [];
  const server = tls.createServer(options, serve(answer, requests));
  server.on('tlsClientError', () => undefined);
  return listen(server, 'https', requests);
};

/** A server that treats the bare connection itself. */
export const rawReceiver = (onConnection: (socket: Socket) => void): Promise<Receiver> =>
  listen(net.createServer(onConnection), 'http', []);

/** A response with a body and its length. */
export const response = (status: number, body = '', headers = ''): string =>
  `HTTP/1.1 ${status} Some Words\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const DAY_MS = 86_400_000;

/** A self-signed certificate for `names` (as in `DNS:a.test`), made on the spot, and by choice already expired. */
export function selfSigned(
  names: readonly string[],
  expired = false,
): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey: key } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const cert = pki.createCertificate();
  cert.publicKey = pki.publicKeyFromPem(publicKey);
  cert.validity.notBefore = new Date(Date.now() - 2 * DAY_MS);
  cert.validity.notAfter = new Date(Date.now() + (expired ? -DAY_MS : DAY_MS));
  const receiver = [{ name: 'commonName', value: 'receiver' }];
  cert.setSubject(receiver);
  cert.setIssuer(receiver);
  cert.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: names.map(altName) },
  ]);
  cert.sign(pki.privateKeyFromPem(key), md.sha256.create());
  return { key, cert: pki.certificateToPem(cert) };
}

/** RFC 5280, 4.2.1.6: 2 is a DNS name, 7 an address. */
function altName(name: string): { type: number; value: string } | { type: number; ip: string } {
  const [kind, value = ''] = name.split(/:(.*)/);
  return kind === 'IP' ? { type: 7, ip: value } : { type: 2, value };
}

/** A transport that may reach the loopback; it is closed when the test ends. */
export function loopbackTransport(options: HttpTransportOptions = {}): Transport {
  const transport = createHttpTransport({ allow: ['127.0.0.0/8', '::1/128'], ...options });
  onTestFinished(() => transport.close());
  return transport;
}

/** Posts a small delivery. */
export const post = (
  transport: Transport,
  url: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<AttemptOutcome> =>
  transport.send({ url, headers: { 'Svc-Event-Id': 'evt_1' }, body: Buffer.from('{"a":1}') }, signal);
