/**
 * Frames of the stream, as docs/clients.md describes them. Pure: texts in, values out.
 */

/** The subprotocol that a client may name. */
export const SUBPROTOCOL = 'headgate.v1';
/** Most events that are sent beyond the last acknowledged one. */
export const WINDOW = 64;
export const HEARTBEAT_MS = 20_000;
/** A side that has heard nothing for this long closes the connection. */
export const SILENCE_MS = 45_000;
/** Time for the first frame. */
export const HELLO_MS = 10_000;
export const MAX_REPLY_BYTES = 262_144;
/**
 * Largest frame of a client. A reply that is too large must still be refused by its id, so there is room for some that
 * are.
 */
export const MAX_FRAME_BYTES = 1_048_576;
/** Most bytes that are read from a client before it has been let in, in frames that are complete or not. */
export const MAX_HELLO_BYTES = 4_096;

/** Why the server closes a connection: the close code, and whether a client should come back. */
export const CLOSINGS = {
  unauthorized: [4001, 'the key is unknown, revoked or of another project'],
  replaced: [4002, 'a newer connection has this name'],
  protocol_error: [4400, 'a frame is not as the protocol describes it'],
  forbidden: [4403, 'the key does not have the scope receive'],
  unknown_from: [4404, 'from is neither an event that is kept nor a time since which all events are kept'],
  timeout: [4408, 'nothing was heard for too long, or nothing that was sent was read'],
  too_fast: [4429, 'too many frames a second, or too many connections, names or bytes of this project'],
  going_away: [4503, 'the server stops; connect again'],
} as const satisfies Record<string, readonly [code: number, message: string]>;
export type Closing = keyof typeof CLOSINGS;

/** A frame of a client. */
export type ClientFrame =
  | {
      readonly type: 'hello';
      readonly key: string | null;
      readonly client: string | null;
      readonly from: string | null;
    }
  | { readonly type: 'ack'; readonly position: number }
  /** `payload` is text that has not been read yet; nobody knows whether it is JSON. */
  | { readonly type: 'reply'; readonly id: string; readonly event_id: string; readonly payload: string }
  | { readonly type: 'malformed_reply'; readonly id: string; readonly event_id: string }
  | { readonly type: 'ping' }
  | { readonly type: 'pong' }
  | { readonly type: 'unknown' };

const NAME = /^[A-Za-z0-9._-]{1,100}$/;
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= most && !/[\p{Cc}\p{Cs}]/u.test(value);

/**
 * Reads a frame. Unknown members are ignored, and so are frames of an unknown type (`unknown`): clients may be newer
 * than the server. A reply that the protocol does not allow is `malformed_reply`, with as much of its ids as is valid
 * text.
 *
 * @returns Null for anything else that is not a frame of the protocol.
 */
export function readFrame(text: string): ClientFrame | null {
  const { envelope, payload } = cutLongValues(text);
  const frame = parse(envelope);
  if (frame === null) return null;
  switch (frame.type) {
    case 'hello':
      return hello(frame);
    case 'ack':
      return isPosition(frame.position) ? { type: 'ack', position: frame.position } : null;
    case 'reply':
      return reply(frame, payload);
    case 'ping':
    case 'pong':
      return { type: frame.type };
    default:
      return typeof frame.type === 'string' ? { type: 'unknown' } : null;
  }
}

/** A frame in two parts. */
interface CutFrame {
  /** The frame with null instead of its payload, and of every other value that is longer than any known one. */
  readonly envelope: string;
  /** The text of the last `payload`; null if the frame has none. */
  readonly payload: string | null;
}

/** UTF-16 units; no known value but a payload has as many. */
const LONG = 4_096;

/**
 * Cuts a frame in one pass over its outermost values, so that the size of a payload is known before anything is made of
 * it.
 */
function cutLongValues(text: string): CutFrame {
  const parts: string[] = [];
  let payload: string | null = null;
  let [depth, kept, from, key] = [0, 0, -1, ''];
  const endValue = (at: number): void => {
    if (key === 'payload') payload = text.slice(from, at).trim();
    if (key === 'payload' || at - from > LONG) {
      parts.push(text.slice(kept, from), 'null');
      kept = at;
    }
    from = -1;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && from < 0) key = text.slice(at + 1, end);
      at = end;
    } else if (char === '{' || char === '[') {
      depth++;
    } else if (char === ':' && depth === 1 && from < 0) {
      from = at + 1;
    } else if (char === ',' || char === '}' || char === ']') {
      if (depth === 1 && from >= 0) endValue(at);
      if (char !== ',') depth--;
    }
  }
  return { envelope: parts.join('') + text.slice(kept), payload };
}

/** The position of the quote that ends a string; the last position of the text if none does. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length - 1;
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const frame: unknown = JSON.parse(text);
    const isObject = typeof frame === 'object' && frame !== null && !Array.isArray(frame);
    return isObject ? (frame as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

const isPosition = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function hello(frame: Readonly<Record<string, unknown>>): ClientFrame | null {
  const { key = null, client = null, from = null } = frame;
  const isRight =
    (key === null || isText(key, 200)) &&
    (client === null || (typeof client === 'string' && NAME.test(client))) &&
    (from === null || isText(from, 100));
  return isRight ? { type: 'hello', key, client, from } : null;
}

function reply(frame: Readonly<Record<string, unknown>>, payload: string | null): ClientFrame {
  const id = isText(frame.id, 200) ? frame.id : '';
  const event_id = isText(frame.event_id, 100) ? frame.event_id : '';
  return id === '' || event_id === '' || payload === null
    ? { type: 'malformed_reply', id, event_id }
    : { type: 'reply', id, event_id, payload };
}

/** A frame of the server, apart from events, whose text is made of stored texts. */
export type ServerFrame =
  | {
      readonly type: 'welcome';
      readonly client: string | null;
      readonly position: number;
      readonly resumed: boolean;
      readonly window: number;
      readonly heartbeat_ms: number;
      readonly max_reply_bytes: number;
    }
  | { readonly type: 'gap'; readonly from: number; readonly to: number }
  | { readonly type: 'replied'; readonly id: string; readonly event_id: string }
  | {
      readonly type: 'refused';
      readonly id: string;
      readonly event_id: string;
      readonly code: Refusal;
      readonly message: string;
    }
  | { readonly type: 'ping' | 'pong' }
  | { readonly type: 'bye'; readonly code: Closing; readonly message: string };

/** Why a reply will never be stored. */
export type Refusal = 'reply_too_large' | 'unknown_event' | 'invalid_reply';

export const frameText = (frame: ServerFrame): string => JSON.stringify(frame);
