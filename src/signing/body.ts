/** The bodies that can be signed. */
import { kindOf, unusable } from './given.js';

/**
 * Bytes that are signed: a buffer, or the bytes of a view such as a `Uint8Array`, a Node `Buffer` or a `DataView`. A
 * string is signed as its UTF-8, in which a lone surrogate is U+FFFD.
 */
export type Bytes = string | ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** The signed payload: the prefix, then the body. */
export interface Payload {
  /** `<t>.` */
  readonly prefix: string;
  /** The caller's bytes, not a copy: copy them before an `await`. */
  readonly body: string | Uint8Array;
}

/**
 * The body as a string or as a view of its bytes. A detached buffer throws the runtime's TypeError: it has no bytes,
 * but must not be signed as an empty body.
 *
 * @throws {@link OptionError} `invalid_body` for any other value, most often a parsed body.
 */
export function readBody(body: Bytes): Payload['body'] {
  if (typeof body === 'string' || (body instanceof Uint8Array && body.length > 0)) return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  const kind = kindOf(body);
  // By name, since a buffer of another realm is not an instance of this realm's class.
  if (kind.endsWith('ArrayBuffer')) return new Uint8Array(body);
  throw unusable('invalid_body', 'body', kind, RAW_BYTES);
}

const RAW_BYTES =
  "raw bytes: express.raw({ type: 'application/json' }), not express.json(), or await request.arrayBuffer()";
