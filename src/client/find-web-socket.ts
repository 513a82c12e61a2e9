/** Whose WebSocket is used: the user's, the runtime's, or undici's on a Node that has none. */
import type { WebSocketConstructor } from './web-socket.js';

/** The class to use. Rejects where the runtime has none. */
export async function findWebSocket(given: WebSocketConstructor | undefined): Promise<WebSocketConstructor> {
  const found = given ?? (globalThis as { readonly WebSocket?: WebSocketConstructor }).WebSocket;
  return found ?? (await import('./undici.js')).loadWebSocket();
}
