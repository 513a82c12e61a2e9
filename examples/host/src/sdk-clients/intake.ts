/**
 * Counts the bytes that come from a client before their frame is complete; the rest of the code sees only whole frames.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Connection } from './connection.js';
import type { ConnectionMemory } from './connection-memory.js';
import { type Closing, MAX_HELLO_BYTES } from './protocol.js';

/** A connection, from its protocol down to its socket. */
export interface IntakeParts {
  readonly connection: Connection;
  readonly client: WebSocket;
  readonly socket: Duplex;
  readonly held: ConnectionMemory;
}

/**
 * Closes the connection when it sends more than it may: {@link MAX_HELLO_BYTES} before it is let in, in frames that are
 * complete or not; after that, a frame for which its project has no memory. Call it before the socket is read.
 */
export function countBytes({ connection, client, socket, held }: IntakeParts): void {
  /** The most bytes that an incomplete frame may have; before the client is let in, all that it has sent. */
  let unfinished = 0;
  let lastRead = 0;
  /** Throws away the rest of what comes: closing a socket that is not read would lose the reason on its way. */
  const stop = (why: Closing): void => {
    connection.close(why);
    socket.removeAllListeners('data');
    socket.resume();
  };
  // Before the listener of the client, so that bytes are counted when the frame that they complete is heard.
  socket.prependListener('data', (chunk: Buffer) => {
    lastRead = chunk.byteLength;
    unfinished += lastRead;
    if (!held.incoming.take(lastRead)) stop('too_fast');
    else if (!connection.isWelcome && unfinished > MAX_HELLO_BYTES) stop('protocol_error');
  });
  client.on('message', (data: Buffer) => {
    if (!connection.isWelcome) return;
    // The frame ended in what was read last, so no more than that belongs to the next one.
    const rest = Math.min(lastRead, Math.max(0, unfinished - wholeFrame(data.byteLength)));
    held.incoming.add(rest - unfinished);
    unfinished = rest;
  });
  socket.once('close', () => held.close());
}

/** Bytes of a masked frame that is not in fragments. */
const wholeFrame = (bytes: number): number => bytes + 6 + (bytes > 65_535 ? 8 : bytes > 125 ? 2 : 0);
