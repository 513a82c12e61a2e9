/** Finds the WebSocket to use: the user's, the runtime's, or undici's on a Node that has none. */
import type { WebSocketConstructor, WebSocketLike } from './web-socket.js';

/** Makes a socket. */
export type Open = (url: string, protocol: string) => WebSocketLike;

/** The way to make sockets. Rejects where the runtime has none. */
export async function findWebSocket(given: WebSocketConstructor | undefined): Promise<Open> {
  const { WebSocket } = globalThis as { readonly WebSocket?: WebSocketConstructor };
  const Found = given ?? WebSocket;
  return Found === undefined
    ? ofUndici((await import(/* webpackIgnore: true */ /* @vite-ignore */ UNDICI)) as Undici)
    : (url, protocol) => new Found(url, protocol);
}

/**
 * No literal, and comments at the import: bundlers would follow it into programs for browsers, which have no use for
 * it.
 */
const UNDICI = ['undici', 'index.js'].join('/');

/** The parts of undici that are used. */
interface Undici {
  readonly WebSocket: new (
    url: string,
    options: { readonly protocols: string; readonly dispatcher: unknown },
  ) => WebSocketLike;
  readonly Agent: new (options: { readonly connect: Connect }) => unknown;
  readonly buildConnector: (options: object) => Connect;
}

type Connect = (options: unknown, callback: (error: unknown, socket: TcpSocket | null) => void) => void;

interface TcpSocket {
  /** Closes without the other side, once all is written. */
  destroySoon(): void;
}

/** undici's sockets wait without end for the other side to close, so the TCP socket is kept at hand. */
const ofUndici =
  ({ WebSocket, Agent, buildConnector }: Undici): Open =>
  (url, protocols) => {
    let tcp: TcpSocket | null = null;
    const connect: Connect = (options, callback) =>
      buildConnector({})(options, (error, socket) => callback(error, (tcp = socket)));
    const socket = new WebSocket(url, { protocols, dispatcher: new Agent({ connect }) });
    socket.terminate = () => tcp?.destroySoon();
    return socket;
  };
