/** The one socket that a client has at a time, so that what an earlier one still does reaches nobody. */
import { ABNORMAL } from './close-codes.js';
import type { Open } from './find-web-socket.js';
import type { WebSocketLike } from './web-socket.js';

/** The events of a socket. */
export interface SocketEvents {
  readonly opened: () => unknown;
  readonly received: (data: unknown) => unknown;
  /** The connection is over, or never was. `said` is what the runtime says of it; browsers say nothing. */
  readonly lost: (code: number, said: string) => unknown;
}

/** A client's socket. */
export interface Socket {
  readonly open: (open: Open, url: string, protocol: string) => void;
  readonly send: (text: string) => void;
  /** Begins to close. With `forget`, the other side is not waited for, and nothing more is told. */
  readonly close: (code: number, forget: boolean) => void;
}

/** No socket yet. */
export function createSocket({ opened, received, lost }: SocketEvents): Socket {
  let current: WebSocketLike | undefined;
  return {
    open(open, url, protocol) {
      let said = '';
      let isOpen = false;
      try {
        const socket = (current = open(url, protocol));
        const isCurrent = (): boolean => socket === current;
        socket.onopen = () => {
          isOpen = true;
          return isCurrent() && opened();
        };
        socket.onmessage = ({ data }: { readonly data: unknown }) => isCurrent() && received(data);
        socket.onerror = ({ message = '' }: { readonly message?: string }) => {
          said = message;
          if (isOpen || !isCurrent()) return;
          // On Node 22 no `close` follows where there never was a connection.
          current = undefined;
          lost(ABNORMAL, said);
        };
        socket.onclose = ({ code = ABNORMAL }: { readonly code?: number }) => isCurrent() && lost(code, said);
      } catch (error) {
        // A page of HTTPS may not open `ws:`, for example.
        lost(ABNORMAL, String(error));
      }
    },
    send: (text) => current?.send(text),
    close(code, forget) {
      const socket = current;
      if (forget) current = undefined;
      socket?.close(code);
      if (forget) socket?.terminate?.();
    },
  };
}
