/** The part of WebSockets that is used. */

/** The part of a WebSocket that is used. */
export interface WebSocketLike {
  /** Called when the connection is there. */
  onopen: ((event: never) => unknown) | null;
  /** Called with each message; its `data` is a text. */
  onmessage: ((event: never) => unknown) | null;
  /** Called when the connection is over; its `code` says why. */
  onclose: ((event: never) => unknown) | null;
  /** Called before `onclose` where the connection failed. */
  onerror: ((event: never) => unknown) | null;
  /** Sends a text. */
  send(text: string): void;
  /** Begins to close. */
  close(code?: number): void;
  /** Ends without the other side, where the class can, such as that of `ws`. */
  terminate?(): void;
}

/** A class of WebSockets: that of browsers, Node 22, Bun and Deno, or that of `ws`. */
export type WebSocketConstructor = new (url: string, protocol: string) => WebSocketLike;
