/** The envelope of a request as it came in, kept beside the event. */
import { stringifyJson } from 'headgate';
import type { HeaderPairs } from '../ground/headers.js';
import { containsKey } from '../secrets/key-format.js';

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

/** Where the body of an envelope is: a text; bytes that are no text; or in `data`, letter by letter. */
export type EnvelopeBody = { readonly text: string } | 'bytes' | 'in data';

/**
 * `raw_payload` as it is stored: `{ method, path, query, headers, body }` as JSON, and `encoding: "base64"` where the body is no
 * UTF-8. The headers are kept in order and with repeats; only the service's own credentials are left out.
 *
 * @param where - `in data` stores no body; `wholeRequest` puts it back.
 * @param secretHeaders - Names, in lower case, of headers whose whole value is a secret of the channel.
 */
export function rawPayloadText(
  { method, path, query, headers, body }: InboundRequest,
  where: EnvelopeBody,
  secretHeaders: readonly string[],
): string {
  const kept = headers
    .filter(([name]) => !secretHeaders.includes(name.toLowerCase()))
    .map(withoutOwnCookies)
    .filter(([name, value]) => !holdsKey(name, value));
  const envelope = { method, path, query, headers: kept };
  if (where === 'in data') return stringifyJson({ ...envelope, body: null });
  return stringifyJson(
    where === 'bytes'
      ? { ...envelope, body: Buffer.from(body).toString('base64'), encoding: 'base64' }
      : { ...envelope, body: where.text },
  );
}

type HeaderPair = HeaderPairs[number];

/** Takes our cookies from among the others. */
function withoutOwnCookies([name, value]: HeaderPair): HeaderPair {
  if (name.toLowerCase() !== 'cookie') return [name, value];
  const others = value.split(';').filter((cookie) => !containsKey(cookie));
  return [name, others.length === 0 ? value : others.join(';').trim()];
}

/** True for a header with one of our keys in it. Basic authentication spells it in base64. */
function holdsKey(name: string, value: string): boolean {
  const [, basic = ''] = /^basic +(\S+)/i.exec(value) ?? [];
  const credentials = name.toLowerCase() === 'authorization' ? Buffer.from(basic, 'base64').toString() : '';
  return containsKey(value) || containsKey(credentials);
}
