import { OptionError } from '../errors.js';
import { MAX_SIGNATURES } from './options.js';
import { SignatureError } from './signature-error.js';

/** Bytes that are signed; a string stands for its UTF-8, in which a lone surrogate is U+FFFD. */
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

/** All seven headers of a delivery, in the order and spelling of docs/signing.md. */
export function deliveryHeaders(
  brand: string,
  about: DeliveryDetails,
  signature: string,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${brand.toLowerCase()}-dispatcher/1`,
    [`${brand}-Event-Id`]: checkValue('eventId', FIELD_VALUE, about.eventId),
    [`${brand}-Event-Type`]: checkValue('eventType', FIELD_VALUE, about.eventType),
    [`${brand}-Origin`]: checkValue('origin', ORIGIN, about.origin),
    [`${brand}-Timestamp`]: String(about.timestamp),
    [`${brand}-Signature`]: signature,
  };
}

/** What RFC 9110, 5.5 lets a field value hold; line breaks above all are not in it. */
const FIELD_VALUE = /^[\t -~\x80-\xff]*$/;
const ORIGIN = /^(live|replay)$/;

function checkValue(field: string, form: RegExp, value: string): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw new OptionError('invalid_header', `${field}: not ${form.source}`);
}

/**
 * What is put before the body to make the signed payload.
 *
 * @throws {@link OptionError} `invalid_timestamp` unless it has 1 to 12 digits.
 * @see docs/signing.md
 */
export function signedPrefix(timestamp: number): string {
  if (Number.isInteger(timestamp) && timestamp >= 0 && timestamp < 1e12) return `${timestamp}.`;
  throw new OptionError('invalid_timestamp', `timestamp ${timestamp}: not whole Unix seconds`);
}

/** The body as it was received or will be sent; a parsed one is the commonest mistake of all. */
export function checkBody(body: Bytes): void {
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return;
  throw new OptionError('invalid_body', 'body: not raw bytes or text');
}

export const malformed = (header: string): SignatureError =>
  new SignatureError('malformed_header', `${header}: malformed`);

/** A signature header taken apart. */
export interface ParsedSignature {
  /** The timestamp as it was written, since that is what was signed. */
  readonly t: string;
  /** The same as a number. */
  readonly timestamp: number;
  /** The first 16 `v1` values, whatever they look like. */
  readonly v1: readonly string[];
}

const UNKNOWN_PART = /^[^\s=]+=/;

/**
 * Reads `t=<timestamp>,v1=<hex>` with any number of `v1` and of unknown `key=value` parts, in any order.
 * White space is no part of it, so two headers that were joined with a comma never read as one.
 *
 * @throws {@link SignatureError} `malformed_header`
 * @see docs/signing.md
 */
export function parseSignature(header: string): ParsedSignature {
  let t: string | undefined;
  const v1: string[] = [];
  for (let start = 0, end; start <= header.length; start = end + 1) {
    end = header.indexOf(',', start);
    if (end < 0) end = header.length;
    if (header.startsWith('v1=', start)) {
      if (v1.length < MAX_SIGNATURES) v1.push(header.slice(start + 3, end));
    } else if (header.startsWith('t=', start)) {
      t = t === undefined ? header.slice(start + 2, end) : '';
    } else if (!UNKNOWN_PART.test(header.slice(start, end))) {
      t = '';
    }
  }
  const timestamp = parseTimestamp(t);
  if (t && timestamp >= 0 && v1.length > 0) return { t, timestamp, v1 };
  throw malformed('signature header');
}

/** What 1 to 12 digits stand for, else NaN (0 where there are none). A regular expression would take a tenth of verifying 1 KB. */
function parseTimestamp(text = ''): number {
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    value = digit >= 0 && digit <= 9 && i < 12 ? value * 10 + digit : NaN;
  }
  return value;
}
