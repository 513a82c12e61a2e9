/** Reads headers from a request. */
import type { HeadgateError, OptionError } from '../errors.js';
import { kindOf, unusable } from './given.js';
import { malformed } from './header.js';
import { SignatureError } from './signature-error.js';

/** The part of fetch's `Headers` that is used. */
export interface HeaderReader {
  /** The value of a header, whose name may be in any case; `null` if it is missing. */
  get(name: string): string | null;
}

/**
 * The headers of a request: a fetch `Headers`, or an object such as Node's `request.headers`. Names match in any case.
 * Inherited properties are ignored.
 */
export type HeaderSource = HeaderReader | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Refuses objects that have a `get` but are not headers.
 *
 * @throws {@link OptionError} `invalid_header`
 */
export function checkHeaders(given: HeaderSource | null | undefined): HeaderSource {
  const headers = given ?? {};
  // Their `get` is case-sensitive.
  if (headers instanceof Map || headers instanceof URLSearchParams) throw noHeaders(headers);
  return headers;
}

/** The error for a missing header: it was not sent, or the argument has no headers at all. */
export function missing(name: string, given: HeaderSource | null | undefined): HeadgateError {
  const kind = kindOf(given);
  // The argument may be a whole request of node:http, or the event of a Lambda, with the headers inside.
  const inner = kindOf((given as Record<string, unknown> | undefined)?.headers);
  const hasNoHeaders = given && kind !== 'Object' && !hasGet(given);
  if (hasNoHeaders || inner === 'Object') return noHeaders(given);
  return new SignatureError(
    'missing_header',
    `${name}: missing from ${kind}; is that request.headers, and brand right?`,
  );
}

const noHeaders = (given: unknown): OptionError =>
  unusable('invalid_header', 'headers', kindOf(given), 'request.headers or new Headers(pairs)');

/** The value of a header, by its name in lower case. Several values are joined with `, `, as fetch does. */
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

/** Reads an own property. The lower-case spelling, which Node uses, is preferred. */
function readOwn(headers: Exclude<HeaderSource, HeaderReader>, name: string): unknown {
  if (Object.hasOwn(headers, name)) return headers[name];
  const spelled = Object.keys(headers).filter((key) => key.toLowerCase() === name);
  return spelled.map((key) => headers[key])[0];
}
