import net from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.js';
import { AddressRefusedError, guardLookup } from './address-guard.js';

/** What {@link createConnector} needs. */
export interface ConnectorOptions {
  readonly guard: AddressGuard;
  readonly lookup: LookupFunction;
  /** PEM certificates trusted in place of Node's own. */
  readonly ca: string | readonly string[] | undefined;
  /** Milliseconds from the start of the look-up to a connection that can carry a request. */
  readonly timeoutMs: number;
}

/** A connection was still not made when its time was over; the message says how far it had come. */
export class ConnectTimeoutError extends Error {}

/** The receiver took the connection, and broke it off before TLS stood. */
export class HandshakeClosedError extends Error {}

/** A response that does not come to its end. */
export class ResponseTooLargeError extends Error {}

/** Opens sockets for undici, and to allowed addresses only. */
export interface Connector {
  readonly connect: buildConnector.connector;
  /** Sockets open or opening. */
  readonly open: ReadonlySet<Socket>;
  /** Ends all of them; resolves when they are gone. */
  close(): Promise<void>;
}

export function createConnector({ guard, lookup, ca, timeoutMs }: ConnectorOptions): Connector {
  const open = new Set<Socket>();
  const guarded = guardLookup(lookup, guard);
  const trust = ca === undefined ? {} : { ca: [ca].flat() };

  function openSocket({ hostname, protocol, port }: buildConnector.Options): Socket {
    const to = { host: hostname, lookup: guarded };
    if (protocol !== 'https:') return net.connect({ ...to, port: Number(port || 80) });
    const servername = net.isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '';
    // Said aloud, since an environment variable would otherwise turn it off for the whole process.
    const verified = { ...trust, servername, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] };
    return tls.connect({ ...to, ...verified, port: Number(port || 443) });
  }

  const connect: buildConnector.connector = (options, callback) => {
    // No look-up happens for an address, so that the guard must be asked here.
    const purpose = net.isIP(options.hostname) === 0 ? null : guard.refusal(options.hostname);
    if (purpose !== null) {
      queueMicrotask(() => callback(new AddressRefusedError(options.hostname, purpose), null));
      return;
    }
    const socket = openSocket(options).setNoDelay(true);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    whenConnected(socket, options, timeoutMs, callback);
  };

  async function close(): Promise<void> {
    const gone = [...open].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of open) socket.destroy(new Error('the transport was closed'));
    await Promise.all(gone);
  }
  return { connect, open, close };
}

/** Calls back once: when the socket can carry a request, has failed, or has run out of time. */
function whenConnected(
  socket: Socket,
  { hostname, protocol }: buildConnector.Options,
  timeoutMs: number,
  callback: buildConnector.Callback,
): void {
  const secure = protocol === 'https:';
  let missing = net.isIP(hostname) === 0 ? 'answer from DNS' : 'connection';
  const deadline = setTimeout(() => {
    socket.destroy(new ConnectTimeoutError(`no ${missing} within ${timeoutMs / 1_000} s`));
  }, timeoutMs);
  let connecting = true;
  const end = (...result: Parameters<typeof callback>): void => {
    clearTimeout(deadline);
    if (connecting) callback(...result);
    connecting = false;
  };
  socket.once('lookup', () => (missing = 'connection'));
  if (secure) socket.once('connect', () => (missing = 'TLS handshake'));
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    tameReads(socket);
    end(null, socket);
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    end(secure && error.code === 'ECONNRESET' ? new HandshakeClosedError('closed') : error, null);
  });
}

const CONTINUE = 'HTTP/1.1 100';
/** Bytes handed to undici's parser at a time. */
const PIECE_BYTES = 1024;
/** Bytes of one response, whatever they are, that are read before its connection is closed instead. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Changes what undici gets to read, so that no receiver can do harm.
 *
 * It is bounded, since undici counts neither status lines nor what chunks carry besides their data. It comes in small
 * pieces, and ends with the socket: undici finishes a piece even after its headers turned out too large, at the
 * price of an error object for each further header, 0.2 s for 64 KiB of them.
 *
 * `100 Continue` is relabeled as 102: clients must skip any 1xx that they did not ask for (RFC 9110,
 * 15.2), but undici takes 100, alone of them, for a broken response. Where the text stands in a body
 * instead, no harm is done: bodies are thrown away.
 */
function tameReads(socket: Socket): void {
  const read = socket.read.bind(socket);
  const relabel = relabelContinue();
  let sent = 0;
  let left = MAX_RESPONSE_BYTES;
  socket.read = (): unknown => {
    if (socket.destroyed) return null;
    if (socket.bytesWritten !== sent) {
      sent = socket.bytesWritten; // another request, another response
      left = MAX_RESPONSE_BYTES;
    }
    const piece: unknown = socket.readableLength > PIECE_BYTES ? read(PIECE_BYTES) : read();
    if (!Buffer.isBuffer(piece)) return piece;
    left -= piece.length;
    if (left < 0) socket.destroy(new ResponseTooLargeError('more than 64 KiB'));
    relabel(piece);
    return left < 0 ? null : piece;
  };
}

/** Changes pieces of what a socket reads, in their order; the text may begin in one and end in the next. */
function relabelContinue(): (piece: Buffer) => void {
  let before = '';
  return (piece) => {
    const text = before + piece.toString('latin1');
    for (let at = text.indexOf(CONTINUE); at >= 0; at = text.indexOf(CONTINUE, at + 1)) {
      piece[at + CONTINUE.length - 1 - before.length] = '2'.charCodeAt(0);
    }
    before = text.slice(1 - CONTINUE.length);
  };
}
