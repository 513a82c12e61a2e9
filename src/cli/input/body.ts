/** Reads the body of a delivery. */
import { type Context, Failure } from '../context.js';
import { bytesOf, nameOf } from './read.js';

/** UTF-8 bytes that the body of a delivery may have. */
export const MAX_BODY_BYTES = 33_554_432;

/** @throws {@link Failure} for a body that is too large. */
export async function readBody(path: string, context: Context): Promise<Uint8Array> {
  const bytes = await bytesOf(path, context, MAX_BODY_BYTES);
  if (bytes.length <= MAX_BODY_BYTES) return bytes;
  throw new Failure(`${nameOf(path)} has more than 32 MiB: no delivery has such a body`);
}

/** The `id` and the `type` of a body that is a JSON object; empty if it has none. */
export function idAndType(body: Uint8Array): { readonly id: string; readonly type: string } {
  const { id, type } = Object(parsed(body)) as { readonly id?: unknown; readonly type?: unknown };
  return { id: typeof id === 'string' ? id : '', type: typeof type === 'string' ? type : '' };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
}
