/** Opens connections to addresses that the guard allows. */
import net from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici/index.js';
import type { AddressGuard } from './address-guard.js';
import { AttemptError, codeOf, OVERSIZED } from './failure.js';
import { guardLookup, refused } from './guarded-lookup.js';
import { createPreamble } from './preamble.js';

/** What {@link createConnector} needs. */
export interface ConnectorOptions {
  readonly guard: AddressGuard;
  readonly lookup: LookupFunction;
  /** PEM certificates trusted in place of Node's own. */
  readonly ca: string | readonly string[] | undefined;
  /** Milliseconds from the start of the look-up to a connection that can carry a request. */
  readonly timeoutMs: number;
}

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

  function openSocket({ hostname, protocol, port }: buildConnector.Options, progress: Progress): Socket {
    const lookup: LookupFunction = (name, options, callback) =>
      guarded(name, options, (...found) => {
        progress.missing = 'connection';
        callback(...found);
      });
    const to = { host: hostname, lookup };
    if (protocol !== 'https:') return net.connect({ ...to, port: Number(port || 80) });
    const servername = net.isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '';
    // Said aloud, since an environment variable would otherwise turn it off for the whole process.
    const verified = { ...trust, servername, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] };
    return tls.connect({ ...to, ...verified, port: Number(port || 443) });
  }

  const connect: buildConnector.connector = (options, callback) => {
    const isName = net.isIP(options.hostname) === 0;
    // No look-up happens for an address, so that the guard must be asked here.
    const purpose = isName ? null : guard.refusal(options.hostname);
    if (purpose !== null) {
      queueMicrotask(() => callback(refused(options.hostname, purpose), null));
      return;
    }
    const progress: Progress = { missing: isName ? 'answer from DNS' : 'connection' };
    const socket = openSocket(options, progress).setNoDelay(true);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const deadline = setTimeout(() => {
      const text = `no ${progress.missing} within ${timeoutMs / 1_000} s`;
      socket.destroy(new AttemptError('timeout', text));
    }, timeoutMs);
    whenConnected(socket, options.protocol === 'https:', progress, (...result) => {
      clearTimeout(deadline);
      callback(...result);
    });
  };

  async function close(): Promise<void> {
    const gone = [...open].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of open) socket.destroy(new AttemptError('internal_error', 'the transport was closed'));
    await Promise.all(gone);
  }
  return { connect, open, close };
}

/** How far a connection has come. */
interface Progress {
  missing: 'answer from DNS' | 'connection' | 'TLS handshake';
}

/** Calls back once: when the socket can carry a request, or has failed. */
function whenConnected(
  socket: Socket,
  secure: boolean,
  progress: Progress,
  callback: buildConnector.Callback,
): void {
  let connecting = true;
  const end = (...result: Parameters<typeof callback>): void => {
    if (connecting) callback(...result);
    connecting = false;
  };
  if (secure) socket.once('connect', () => (progress.missing = 'TLS handshake'));
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    tameReads(socket);
    end(null, socket);
  });
  socket.on('error', (error) =>
    end(secure && codeOf(error) === 'ECONNRESET' ? handshakeClosed() : error, null),
  );
}

/** The receiver took the connection, and broke it off before TLS stood. */
const handshakeClosed = (): AttemptError =>
  new AttemptError('connection_reset', 'the connection was closed during the TLS handshake');

/** Bytes handed to undici's parser at a time. */
const PIECE_BYTES = 1024;
/** Bytes of one response, whatever they are, that are read before its connection is closed instead. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Changes what undici gets to read, so that no receiver can do harm.
 *
 * It is bounded, since undici counts neither status lines nor what chunks carry besides their data. It comes in small
 * pieces, and ends with the socket: undici finishes a piece even after its headers turned out too large, at the
 * price of an error object for each further header, 0.2 s for 64 KiB of them. And it begins with a status line that
 * undici can read: see {@link createPreamble}.
 */
function tameReads(socket: Socket): void {
  const read = socket.read.bind(socket);
  let sent = -1;
  let left = 0;
  let preamble = createPreamble();

  function tame(piece: Buffer): Buffer | AttemptError {
    if (socket.bytesWritten !== sent) {
      sent = socket.bytesWritten; // another request, another response
      left = MAX_RESPONSE_BYTES;
      preamble = createPreamble();
    }
    left -= piece.length;
    return left < 0 ? new AttemptError('headers_too_large', OVERSIZED) : preamble(piece);
  }
  socket.read = (size): unknown => {
    if (size === 0) return read(0); // streams ask themselves to fill up
    while (!socket.destroyed) {
      const piece: unknown = socket.readableLength > PIECE_BYTES ? read(PIECE_BYTES) : read();
      if (!Buffer.isBuffer(piece)) return piece;
      const tamed = tame(piece);
      if (tamed instanceof AttemptError) socket.destroy(tamed);
      else if (tamed.length > 0) return tamed;
    }
    return null;
  };
}
