/** Bodies of deliveries, as text or as bytes. */
import { kindOf, unusable } from './given.js';

/**
 * Bytes that are signed: a buffer, or a view such as a `Uint8Array`, a node `Buffer` or a `DataView` for the part that
 * it shows. A string stands for its UTF-8, in which a lone surrogate is U+FFFD.
 */
export type Bytes = string | ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** The signed payload: the prefix, then the body. */
export interface Payload {
  /** `<t>.` */
  readonly prefix: string;
  /** The caller's own bytes: copy them before waiting. */
  readonly body: string | Uint8Array;
}

/**
 * The body as text or as a view of its bytes. A detached buffer throws the runtime's TypeError: it looks empty, and must
 * not be signed as if it were.
 *
 * @throws {@link OptionError} `invalid_body` for anything else; a parsed one is the commonest mistake of all.
 */
export function readBody(body: Bytes): Payload['body'] {
  if (typeof body === 'string' || (body instanceof Uint8Array && body.length > 0)) return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  const kind = kindOf(body);
  // By name, since buffers of another realm are no instances of this one's classes.
  if (kind.endsWith('ArrayBuffer')) return new Uint8Array(body);
  throw unusable('invalid_body', 'body', kind, RAW_BYTES);
}

const RAW_BYTES =
  "raw bytes: express.raw({ type: 'application/json' }), not express.json(), or await request.arrayBuffer()";
