/**
 * The SDK client: gets a project's events over a WebSocket, at least once and in order, and sends replies. For Node,
 * Bun, Deno and browsers. No dependencies of its own; on a Node without a WebSocket it loads undici.
 *
 * @module headgate/client
 */
export type { Origin } from '../delivery-details.js';
export { HeadgateError, OptionError, type OptionErrorCode } from '../errors.js';
export { type Client, createClient } from './client.js';
export { ClientError, type ClientErrorCode } from './client-error.js';
export type { ClientOptions, CloseOptions } from './options.js';
export type {
  ClientEvent,
  ClientGap,
  ClientListeners,
  ClientState,
  ErrorDetails,
  ReceivedEvent,
  StateChange,
} from './types.js';
export type { WebSocketConstructor, WebSocketLike } from './web-socket.js';
