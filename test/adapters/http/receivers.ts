/** Receivers on the loopback, from well-behaved to hostile, for the transport to meet. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { createHttpTransport } from '../../../src/adapters/http/index.js';
import type { HttpTransportOptions } from '../../../src/adapters/http/index.js';
import type { AttemptOutcome, Transport } from '../../../src/delivery/transport.js';

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

/** A self-signed certificate for `names` (as in `DNS:a.test`), made on the spot, and by choice already expired. */
export function selfSigned(
  names: readonly string[],
  expired = false,
): { readonly key: string; readonly cert: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'headgate-cert-'));
  const openssl = (command: string): Buffer =>
    execFileSync('openssl', command.split(' '), { cwd, stdio: 'pipe' });
  const request =
    '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=receiver -keyout key.pem';
  try {
    openssl(`req -x509 ${request} -days 1 -out cert.pem -addext subjectAltName=${names.join(',')}`);
    if (expired) openssl('x509 -in cert.pem -signkey key.pem -days -1 -out cert.pem');
    const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
    return { key: read('key.pem'), cert: read('cert.pem') };
  } finally {
    rmSync(cwd, { recursive: true });
  }
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
