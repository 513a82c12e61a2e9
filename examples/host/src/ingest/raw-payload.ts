/** The envelope of a request as it came in, kept beside the event. */
import { stringifyJson } from 'headgate';
import type { HeaderPairs } from '../http/headers.js';
import { type HoldsCredential, isAuthorization } from '../secrets/credentials.js';

/** A request, with its body as bytes. */
export interface InboundRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/** The body of an envelope: a text; bytes that are not text; or in `data`, letter by letter. */
export type EnvelopeBody = { readonly text: string } | 'bytes' | 'in data';

/** The parts of a request that must not be stored: readers of the project see the envelope. */
export interface Hidden {
  /** Names, in lower case, of headers whose whole value is a secret of the channel. */
  readonly headers: readonly string[];
  readonly holdsCredential: HoldsCredential;
  /** Spellings of the channel's address, the longest first. It lets anybody send, so `id` replaces it. */
  readonly address: readonly string[];
  /** The id of the channel. */
  readonly id: string;
}

/**
 * `raw_payload` as it is stored: `{ method, path, query, headers, body }` as JSON, and `encoding: "base64"` if the body
 * is not UTF-8. The headers are kept in order and with repeats, without credentials.
 *
 * @param where - `in data` stores no body; `wholeRequest` puts it back.
 */
export function rawPayloadText(
  { method, path, query, headers, body }: InboundRequest,
  where: EnvelopeBody,
  hidden: Hidden,
): string {
  const { holdsCredential, address, id } = hidden;
  const withoutAddress = (text: string): string =>
    address.reduce((rest, spelling) => rest.replaceAll(spelling, id), text);
  const kept = headers
    .filter(([name]) => !isAuthorization(name) && !hidden.headers.includes(name.toLowerCase()))
    .map((header) => withoutOwnCookies(header, holdsCredential))
    .filter(([, value]) => !holdsCredential(value))
    .map(([name, value]) => [name, withoutAddress(value)]);
  const envelope = {
    method,
    path: withoutAddress(path),
    query: withoutAddress(withoutCredentials(query, holdsCredential)),
    headers: kept,
  };
  if (where === 'in data') return stringifyJson({ ...envelope, body: null });
  return stringifyJson(
    where === 'bytes'
      ? { ...envelope, body: Buffer.from(body).toString('base64'), encoding: 'base64' }
      : { ...envelope, body: where.text },
  );
}

type HeaderPair = HeaderPairs[number];

/** Takes our cookies from among the others. */
function withoutOwnCookies([name, value]: HeaderPair, holdsCredential: HoldsCredential): HeaderPair {
  if (name.toLowerCase() !== 'cookie') return [name, value];
  const others = value.split(';').filter((cookie) => !holdsCredential(cookie));
  return [name, others.length === 0 ? value : others.join(';').trim()];
}

/** Replaces the values of parameters that hold a credential. */
const withoutCredentials = (query: string, holdsCredential: HoldsCredential): string =>
  holdsCredential(query)
    ? query
        .split('&')
        .map((pair) => (holdsCredential(pair) ? `${pair.replace(/=.*|^[^=]*$/, '')}=withheld` : pair))
        .join('&')
    : query;
