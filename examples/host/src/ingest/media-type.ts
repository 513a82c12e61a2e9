/** Which bodies are taken: JSON, forms and text, in UTF-8. */
import { failure, type Result, success } from '../errors/failure.js';
import { type HeaderPairs, headerValues } from '../http/headers.js';

/** How a body is read. */
export type BodyKind = 'json' | 'form' | 'text';

/** The kind of a request's body, or 415. */
export function bodyKindOf(headers: HeaderPairs): Result<BodyKind, 'unsupported_media_type'> {
  const [coding = 'identity'] = headerValues(headers, 'content-encoding');
  if (coding.trim().toLowerCase() !== 'identity') {
    return unsupported('Content-Encoding is not supported: send the body as it is');
  }
  const [value, ...more] = headerValues(headers, 'content-type');
  if (value === undefined) return unsupported(`Content-Type is missing: ${TAKEN}`);
  if (more.length > 0) return unsupported('Content-Type was sent more than once');
  const kind = kindOf(value);
  if (kind === null) return unsupported(`Content-Type must be ${TAKEN}`);
  return isUtf8(value) ? success(kind) : unsupported('the charset must be UTF-8');
}

const TAKEN = 'application/json, application/x-www-form-urlencoded or text/*';

const unsupported = (message: string) => failure(415, 'unsupported_media_type', message);

/** A media type, with parameters or without, by RFC 9110, 8.3.1. */
const MEDIA_TYPE = /^[ \t]*([\w!#$%&'*+.^`|~-]+)\/([\w!#$%&'*+.^`|~-]+)[ \t]*(?:;|$)/;

function kindOf(value: string): BodyKind | null {
  const [, type = '', subtype = ''] = MEDIA_TYPE.exec(value.toLowerCase()) ?? [];
  if (subtype.endsWith('+json')) return 'json';
  if (type === 'text') return 'text';
  if (type !== 'application') return null;
  if (subtype === 'json') return 'json';
  return subtype === 'x-www-form-urlencoded' ? 'form' : null;
}

const CHARSET = /;[ \t]*charset=(?:"([^"]*)"|([^\s;"]*))/gi;

/** US-ASCII is UTF-8 too. Without a charset, UTF-8 is meant. */
const isUtf8 = (value: string): boolean =>
  [...value.matchAll(CHARSET)].every(([, quoted, plain]) =>
    /^(?:utf-?8|us-ascii)$/i.test(quoted ?? plain ?? ''),
  );
