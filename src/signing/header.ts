import { OptionError } from '../errors.js';
import { MAX_SIGNATURES } from './options.js';
import { SignatureError } from './signature-error.js';

/** Bytes that are signed; a string stands for its UTF-8. */
export type Bytes = string | Uint8Array;

/** Whether an event is delivered as it happened, or again because an operator asked for it. */
export type Origin = 'live' | 'replay';

/** What the headers tell about a delivery, besides its signature. */
export interface DeliveryDetails {
  /** Event id, such as `evt_1`. */
  readonly eventId: string;
  /** Event type, such as `webhook.received`. */
  readonly eventType: string;
  /** `live`, or `replay` when an operator asked for the event again. */
  readonly origin: Origin;
  /** Time of the attempt, not of the event, in Unix seconds. */
  readonly timestamp: number;
}

/** Header names of one brand. */
export interface HeaderNames {
  readonly eventId: string;
  readonly eventType: string;
  readonly origin: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** The headers that carry the brand's name. @see service.md 4.1 */
export function headerNames(brand: string): HeaderNames {
  return {
    eventId: `${brand}-Event-Id`,
    eventType: `${brand}-Event-Type`,
    origin: `${brand}-Origin`,
    timestamp: `${brand}-Timestamp`,
    signature: `${brand}-Signature`,
  };
}

/** All seven headers of a delivery, in the order of service.md 4.1. */
export function deliveryHeaders(
  brand: string,
  about: DeliveryDetails,
  signature: string,
): Record<string, string> {
  const names = headerNames(brand);
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${brand.toLowerCase()}-dispatcher/1`,
    [names.eventId]: checkValue('eventId', about.eventId),
    [names.eventType]: checkValue('eventType', about.eventType),
    [names.origin]: checkOrigin(about.origin),
    [names.timestamp]: String(about.timestamp),
    [names.signature]: signature,
  };
}

/** True for the two values that the origin header has. */
export const isOrigin = (text: string): text is Origin => text === 'live' || text === 'replay';

function checkOrigin(origin: string): Origin {
  if (isOrigin(origin)) return origin;
  throw new OptionError('invalid_header', 'origin: live or replay');
}

/** What RFC 9110, 5.5 lets a field value hold; line breaks above all are not in it. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function checkValue(field: string, value: string): string {
  if (typeof value === 'string' && FIELD_VALUE.test(value)) return value;
  throw new OptionError('invalid_header', `${field}: text without line breaks or characters beyond Latin-1`);
}

const MAX_TIMESTAMP = 999_999_999_999;

/**
 * What is put before the body to make the signed payload.
 *
 * @throws {@link OptionError} `invalid_timestamp` unless it has 1 to 12 digits.
 * @see service.md 5
 */
export function signedPrefix(timestamp: number): string {
  if (Number.isInteger(timestamp) && timestamp >= 0 && timestamp <= MAX_TIMESTAMP) return `${timestamp}.`;
  throw new OptionError(
    'invalid_timestamp',
    `timestamp ${timestamp}: whole Unix seconds, 0 to ${MAX_TIMESTAMP}`,
  );
}

/** The value of the signature header; one `v1` for each MAC. @see service.md 4.1 */
export function formatSignature(timestamp: number, macs: readonly string[]): string {
  return `t=${timestamp},${macs.map((mac) => `v1=${mac}`).join()}`;
}

/** The body as it was received or will be sent; a parsed one is the commonest mistake of all. */
export function checkBody(body: Bytes): void {
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return;
  throw new OptionError(
    'invalid_body',
    'body: the raw bytes or text of the request, before anything parses it',
  );
}

/** A signature header taken apart. */
export interface ParsedSignature {
  /** The timestamp as it was written, since that is what was signed. */
  readonly t: string;
  /** The first 16 `v1` values, whatever they look like. */
  readonly v1: readonly string[];
}

const DIGITS = /^\d{1,12}$/;
const UNKNOWN_PART = /^[^\s=]+=/;

/**
 * Reads `t=<timestamp>,v1=<hex>` with any number of `v1` and of unknown `key=value` parts, in any order.
 * White space is no part of it, so two headers that were joined with a comma never read as one.
 *
 * @throws {@link SignatureError} `malformed_header`
 * @see semantics.md 9
 */
export function parseSignature(header: string): ParsedSignature {
  let t: string | undefined;
  const v1: string[] = [];
  for (const part of header.split(',')) {
    if (part.startsWith('v1=')) {
      if (v1.length < MAX_SIGNATURES) v1.push(part.slice(3));
    } else if (part.startsWith('t=')) {
      if (t !== undefined) throw malformed('it has two t= parts: was the header sent twice?');
      t = part.slice(2);
    } else if (!UNKNOWN_PART.test(part)) {
      throw malformed('one of its parts is not key=value');
    }
  }
  if (t === undefined || !DIGITS.test(t)) throw malformed('it needs one t= of 1 to 12 digits');
  if (v1.length === 0) throw malformed('it needs a v1=');
  return { t, v1 };
}

const malformed = (reason: string) => new SignatureError('malformed_header', `signature header: ${reason}`);
