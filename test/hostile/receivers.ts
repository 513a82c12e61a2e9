/** Servers on the loopback that answer as they are told, however wrong that is. */
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import tls from 'node:tls';
import type { TlsOptions } from 'node:tls';

/** A listening server. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  /** Connections accepted so far. */
  readonly connections: () => number;
  /** Connections open now. */
  readonly open: () => number;
  /** Bytes that were written to connections which are closed by now. */
  readonly written: () => number;
  /** Requests received so far, as text. */
  readonly requests: readonly string[];
  /** Ends every connection. */
  readonly close: () => Promise<void>;
}

/** A receiver's answer to a whole request: text that is written as it stands, or a function of the socket. */
export type Answer = string | Buffer | ((socket: Socket, request: string) => void);

/** A server for plain HTTP. */
export function openReceiver(answer: Answer): Promise<Receiver> {
  const requests: string[] = [];
  return listen(net.createServer(serve(answer, requests)), 'http', requests);
}

/** A server for HTTP over TLS. */
export function openSecureReceiver(answer: Answer, options: TlsOptions): Promise<Receiver> {
  const requests: string[] = [];
  const server = tls.createServer(options, serve(answer, requests));
  server.on('tlsClientError', () => undefined);
  return listen(server, 'https', requests);
}

/** A server that treats the bare connection itself. */
export const openRawReceiver = (
  onConnection: (socket: Socket) => void,
  scheme: 'http' | 'https' = 'http',
): Promise<Receiver> => listen(net.createServer(onConnection), scheme, []);

function listen(server: net.Server, scheme: string, requests: readonly string[]): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let written = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      written += socket.bytesWritten;
    });
    socket.on('error', () => undefined);
  });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const url = `${scheme}://127.0.0.1:${port}/in`;
      resolve({
        port,
        url,
        connections: () => connections,
        open: () => sockets.size,
        written: () => written,
        requests,
        close,
      });
    });
  });
}

/** Requests kept for who looks at them; the long runs make more. */
const MOST_KEPT = 100;

function serve(answer: Answer, requests: string[]): (socket: Socket) => void {
  return (socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (head < 0 || text.length < head + 4 + length) return;
      const request = text;
      text = '';
      if (requests.length < MOST_KEPT) requests.push(request);
      if (typeof answer === 'function') answer(socket, request);
      else socket.write(answer);
    });
  };
}

/** A response with a body and its length. */
export const response = (status: number, body = '', headers = ''): string =>
  `HTTP/1.1 ${status} Some Words\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Writes `text`, then filler for as long as anybody listens. */
export function flood(socket: Socket, text: string): void {
  const filler = 'x'.repeat(64 * 1024);
  const more = (): void => {
    if (!socket.destroyed) socket.write(filler, () => void setImmediate(more));
  };
  socket.write(text, more);
}

/**
 * Writes `text` over and over, a piece now and again.
 *
 * @param everyMs - Milliseconds from one piece to the next.
 */
export function drip(socket: Socket, everyMs: number, text: string): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}
