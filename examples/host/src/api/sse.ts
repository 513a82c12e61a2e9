/** Server-sent events: the headers of an answer, and its messages. */

/** Proxies that collect an answer before they pass it on would hold its messages back. */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-accel-buffering': 'no',
} as const;

const UTF8 = new TextEncoder();

/**
 * A message.
 *
 * @param data - JSON, which has no line breaks.
 * @param id - The browser sends it back as `Last-Event-ID` when it reconnects.
 */
export const sseMessage = (event: string, data: string, id?: string): Uint8Array =>
  UTF8.encode(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);

/** A message that readers ignore: it shows that the connection lives. */
export const sseComment = (text: string): Uint8Array => UTF8.encode(`: ${text}\n\n`);
