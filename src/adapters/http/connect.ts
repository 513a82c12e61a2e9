/** Connections of the transport: to allowed addresses only, with a deadline, and with bounded responses. */
import net from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici/index.js';
import type { ExchangeTimings } from '../../delivery/transport.js';
import type { AddressGuard } from './address-guard.js';
import { AttemptError, codeOf, OVERSIZED } from './failure.js';
import { guardLookup, refused } from './guarded-lookup.js';
import { createPreamble } from './preamble.js';

/** Options of {@link createConnector}. */
export interface ConnectorOptions {
  readonly guard: AddressGuard;
  readonly lookup: LookupFunction;
  /** PEM certificates that are trusted instead of Node's. */
  readonly ca: string | readonly string[] | undefined;
  /** Milliseconds from the start of the look-up to a connection that can carry a request. */
  readonly timeoutMs: number;
  /** Called with each socket that can carry requests. */
  readonly connected?: (socket: Socket, timings: ConnectTimings) => void;
}

/** How long the steps of a connection took, in milliseconds; `null` for one that was not taken. */
export type ConnectTimings = Pick<ExchangeTimings, 'dns_ms' | 'connect_ms' | 'tls_ms'>;

/** Opens sockets for undici, to allowed addresses only. Made and closed with its transport. */
export interface Connector {
  readonly connect: buildConnector.connector;
  /** Sockets that are open or being opened. */
  readonly open: ReadonlySet<Socket>;
  /** Closes all sockets; resolves when they are closed. */
  close(): Promise<void>;
}

export function createConnector({ guard, lookup, ca, timeoutMs, connected }: ConnectorOptions): Connector {
  const open = new Set<Socket>();
  const guarded = guardLookup(lookup, guard);
  const trust = ca === undefined ? {} : { ca: [ca].flat() };

  function openSocket({ hostname, protocol, port }: buildConnector.Options, progress: Progress): Socket {
    const lookup: LookupFunction = (name, options, callback) =>
      guarded(name, options, (...found) => {
        progress.begin('connection');
        callback(...found);
      });
    const to = { host: hostname, lookup };
    if (protocol !== 'https:') return net.connect({ ...to, port: Number(port || 80) });
    const servername = net.isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '';
    // `rejectUnauthorized` is set, since an environment variable can change its default for the whole process.
    const verified = { ...trust, servername, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] };
    return tls.connect({ ...to, ...verified, port: Number(port || 443) });
  }

  const connect: buildConnector.connector = (options, callback) => {
    const isName = net.isIP(options.hostname) === 0;
    // For an address there is no look-up, so the guard is asked here.
    const purpose = isName ? null : guard.refusal(options.hostname);
    if (purpose !== null) {
      queueMicrotask(() => callback(refused(options.hostname, purpose), null));
      return;
    }
    const progress = new Progress(isName ? 'answer from DNS' : 'connection');
    const socket = openSocket(options, progress).setNoDelay(true);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const deadline = setTimeout(() => {
      const text = `no ${progress.missing} within ${timeoutMs / 1_000} s`;
      socket.destroy(new AttemptError('timeout', text));
    }, timeoutMs);
    whenConnected(socket, options.protocol === 'https:', progress, (...result) => {
      clearTimeout(deadline);
      if (result[1] !== null) connected?.(socket, progress.timings());
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

const STEPS = { 'answer from DNS': 'dns_ms', connection: 'connect_ms', 'TLS handshake': 'tls_ms' } as const;

/** The steps of one connection. Made with it, and dropped when it can carry requests. */
class Progress {
  /** The step that the connection waits for, named when it times out. */
  missing: keyof typeof STEPS;
  #began = performance.now();
  readonly #timings: { -readonly [Step in keyof ConnectTimings]: ConnectTimings[Step] } = {
    ...{ dns_ms: null, connect_ms: null, tls_ms: null },
  };

  constructor(first: keyof typeof STEPS) {
    this.missing = first;
  }

  begin(next: keyof typeof STEPS): void {
    this.#end();
    this.missing = next;
  }

  /** Ends the last step. */
  timings(): ConnectTimings {
    this.#end();
    return this.#timings;
  }

  #end(): void {
    const now = performance.now();
    this.#timings[STEPS[this.missing]] = now - this.#began;
    this.#began = now;
  }
}

/** Calls back once, when the socket is ready for a request or has failed. */
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
  if (secure) socket.once('connect', () => progress.begin('TLS handshake'));
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    limitReads(socket);
    end(null, socket);
  });
  socket.on('error', (error) =>
    end(secure && codeOf(error) === 'ECONNRESET' ? handshakeClosed() : error, null),
  );
}

/** The receiver accepted the connection and closed it during the TLS handshake. */
const handshakeClosed = (): AttemptError =>
  new AttemptError('connection_reset', 'the connection was closed during the TLS handshake');

/** Most bytes that undici's parser gets at a time. */
const PIECE_BYTES = 1024;
/** Most bytes of a response, its body and framing included; then the connection is closed. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Limits what undici reads, so that no receiver can do harm.
 *
 * - The response is bounded, since undici counts neither status lines nor the framing of chunks.
 * - It is read in small pieces. After headers that are too large, undici goes on to the end of the piece and makes an
 *   error object for each further header, which takes 0.2 s for 64 KiB.
 * - It begins with a status line that undici parses correctly; see {@link createPreamble}.
 */
function limitReads(socket: Socket): void {
  const read = socket.read.bind(socket);
  let sent = -1;
  let left = 0;
  let preamble = createPreamble();

  function limit(piece: Buffer): Buffer | AttemptError {
    if (socket.bytesWritten !== sent) {
      sent = socket.bytesWritten; // a new request, so a new response
      left = MAX_RESPONSE_BYTES;
      preamble = createPreamble();
    }
    left -= piece.length;
    return left < 0 ? new AttemptError('headers_too_large', OVERSIZED) : preamble(piece);
  }
  socket.read = (size): unknown => {
    if (size === 0) return read(0); // the stream itself calls this to fill its buffer
    while (!socket.destroyed) {
      const piece: unknown = socket.readableLength > PIECE_BYTES ? read(PIECE_BYTES) : read();
      if (!Buffer.isBuffer(piece)) return piece;
      const limited = limit(piece);
      if (limited instanceof AttemptError) socket.destroy(limited);
      else if (limited.length > 0) return limited;
    }
    return null;
  };
}
