/** A request as a receiver keeps it: bounded, and without credentials. Pure. */
import type { HeaderPairs } from '../http/headers.js';
import { type HoldsCredential, isAuthorization } from '../secrets/credentials.js';
import { KEPT_BYTES } from './routes.js';
import type { StoredRequest } from './shown.js';

/** Stands in for a value that is not shown. */
export const WITHHELD = '(withheld)';

/** Readers of a project must not see the credentials of a sender. */
export const keptHeaders = (
  headers: HeaderPairs,
  holdsCredential: HoldsCredential,
): StoredRequest['headers'] =>
  headers.map(([name, value]) => [
    name,
    isAuthorization(name) || name.toLowerCase() === 'cookie' || holdsCredential(value) ? WITHHELD : value,
  ]);

/** The beginning of a body as text; a character that would be cut in two is left out. */
export const keptBody = (body: Uint8Array): Pick<StoredRequest, 'body' | 'body_bytes' | 'body_cut'> => {
  const isCut = body.byteLength > KEPT_BYTES;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    body: decoder.decode(body.subarray(0, KEPT_BYTES), { stream: isCut }),
    body_bytes: body.byteLength,
    body_cut: isCut,
  };
};
