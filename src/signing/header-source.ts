/** Reads headers from the objects of all frameworks. */
import type { HeadgateError, OptionError } from '../errors.js';
import { kindOf, unusable } from './given.js';
import { malformed } from './header.js';
import { SignatureError } from './signature-error.js';

/** The part of fetch's `Headers` that is used. */
export interface HeaderReader {
  /** The value of a header, names in any case; `null` where there is none. */
  get(name: string): string | null;
}

/**
 * The headers of a request: a fetch `Headers`, or an object such as node's `request.headers`. Names match in
 * any case, and only own properties count.
 */
export type HeaderSource = HeaderReader | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Refuses look-alikes of headers before a name is looked up in them.
 *
 * @throws {@link OptionError} `invalid_header`
 */
export function checkHeaders(given: HeaderSource | null | undefined): HeaderSource {
  const headers = given ?? {};
  // Their `get` knows a name in one spelling only.
  if (headers instanceof Map || headers instanceof URLSearchParams) throw noHeaders(headers);
  return headers;
}

/** The error for a header that is not there: it was not sent, or what was handed in holds no headers at all. */
export function missing(name: string, given: HeaderSource | null | undefined): HeadgateError {
  const kind = kindOf(given);
  // A whole request of node:http, or the event of a Lambda, holds headers and is none.
  const inner = kindOf((given as Record<string, unknown> | undefined)?.headers);
  const isStranger = given && kind !== 'Object' && !hasGet(given);
  if (isStranger || inner === 'Object') return noHeaders(given);
  return new SignatureError(
    'missing_header',
    `${name}: missing from ${kind}; is that request.headers, and brand right?`,
  );
}

const noHeaders = (given: unknown): OptionError =>
  unusable('invalid_header', 'headers', kindOf(given), 'request.headers or new Headers(pairs)');

/** One header's text, by its name in lower case. Several values become one as in fetch, with `, ` between them. */
export function readHeader(headers: HeaderSource, name: string): string | undefined {
  const value: unknown = hasGet(headers) ? headers.get(name) : readOwn(headers, name);
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  throw malformed(`${name}: got ${kindOf(value)}, not text`);
}

function hasGet(headers: HeaderSource): headers is HeaderReader {
  return typeof headers.get === 'function';
}

/** Only what the object itself holds. The lower-case spelling, which is node's, wins over others. */
function readOwn(headers: Exclude<HeaderSource, HeaderReader>, name: string): unknown {
  if (Object.hasOwn(headers, name)) return headers[name];
  const spelled = Object.keys(headers).filter((key) => key.toLowerCase() === name);
  return spelled.map((key) => headers[key])[0];
}
