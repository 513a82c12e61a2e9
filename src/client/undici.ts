/** undici's WebSocket, for a Node that has none. In a file of its own, so that no other runtime loads it. */
import type { WebSocketConstructor, WebSocketLike } from './web-socket.js';

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

/** No literal: bundlers would follow it into programs for browsers, which have no use for it. */
const UNDICI = ['undici', 'index.js'].join('/');

/** A class whose sockets can end without the other side, which undici's own wait for. Rejects where there is no undici. */
export async function loadWebSocket(): Promise<WebSocketConstructor> {
  const { WebSocket, Agent, buildConnector } = (await import(UNDICI)) as Undici;
  return class extends WebSocket {
    #tcp: TcpSocket | null = null;

    constructor(url: string, protocols: string) {
      const connect: Connect = (options, callback) =>
        buildConnector({})(options, (error, tcp) => {
          this.#tcp = tcp;
          callback(error, tcp);
        });
      super(url, { protocols, dispatcher: new Agent({ connect }) });
    }

    override terminate(): void {
      this.#tcp?.destroySoon();
    }
  };
}
