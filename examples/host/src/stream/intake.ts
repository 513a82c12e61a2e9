/** Counts the bytes that come from a client before their frame is complete: the client itself is told of whole frames alone. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Ledger } from '../limits/ledger.js';
import { strangersAt } from '../limits/memory.js';
import type { Connection } from './connection.js';
import { type Closing, MAX_HELLO_BYTES } from './protocol.js';

const DOOR = '/projects/{project}/stream';
/** Bytes that every client may send at a time, such as acknowledgements, however much its project has taken. */
const FREE_BYTES = 16_384;

/** A connection, from its protocol down to its socket. */
export interface IntakeParts {
  readonly connection: Connection;
  readonly client: WebSocket;
  readonly socket: Duplex;
  readonly memory: Ledger;
}

/**
 * Closes the connection when it sends more than it may: {@link MAX_HELLO_BYTES} before it is let in, in frames that are
 * complete or not; after that, a frame for which its project has no memory. Call it before the socket is read.
 */
export function countBytes({ connection, client, socket, memory }: IntakeParts): void {
  let charge = memory.open(strangersAt(DOOR));
  // Strangers are bounded in number, so none is refused.
  charge.force(MAX_HELLO_BYTES);
  let isIn = false;
  /** The most bytes that an incomplete frame may have; before the client is let in, all that it has sent. */
  let unfinished = 0;
  let lastRead = 0;
  /** Throws away the rest of what comes: closing a socket that is not read would lose the reason on its way. */
  const stop = (why: Closing): void => {
    connection.close(why);
    socket.removeAllListeners('data');
    socket.resume();
  };
  const letIn = (): void => {
    if (isIn) return;
    isIn = true;
    charge.close();
    charge = memory.open(connection.project);
  };
  // Before the listener of the client, so that bytes are counted when the frame that they complete is heard.
  socket.prependListener('data', (chunk: Buffer) => {
    lastRead = chunk.byteLength;
    unfinished += lastRead;
    if (!connection.isWelcome) {
      if (unfinished > MAX_HELLO_BYTES) stop('protocol_error');
      return;
    }
    letIn();
    if (unfinished <= FREE_BYTES) charge.force(unfinished);
    else if (!charge.set(unfinished)) stop('too_fast');
  });
  client.on('message', () => {
    if (!isIn) return;
    // The frame ended in what was read last, so no more than that belongs to the next one.
    unfinished = Math.min(unfinished, lastRead);
    charge.force(unfinished);
  });
  socket.once('close', () => charge.close());
}
