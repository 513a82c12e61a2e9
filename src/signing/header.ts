/** The headers of a delivery: made by the sender, and parsed by the receiver. */
import type { DeliveryDetails } from '../delivery-details.js';
import { isIntegerIn } from '../integers.js';
import { kindOf, show, unusable } from './given.js';
import { checkNames, UNIX_SECONDS } from './options.js';
import type { ForSchemes, Scheme } from './schemes.js';
import { MAX_SIGNATURES } from './secrets.js';
import { SignatureError } from './signature-error.js';

const DETAILS: readonly (keyof DeliveryDetails)[] = ['eventId', 'eventType', 'origin', 'timestamp'];

/**
 * A checked copy of the details, so that later changes to the caller's object have no effect.
 *
 * @throws {@link OptionError} `invalid_option`, `invalid_header`
 */
export function copyDetails(about: DeliveryDetails): DeliveryDetails {
  checkNames('about', about, DETAILS);
  const { eventId, eventType, origin, timestamp } = about;
  checkValue('eventId', FIELD_VALUE, eventId);
  checkValue('eventType', FIELD_VALUE, eventType);
  checkValue('origin', ORIGIN, origin);
  return { eventId, eventType, origin, timestamp };
}

/** Values that RFC 9110, 5.5 allows in a header, which excludes line breaks. */
const FIELD_VALUE = /^[\t -~\x80-\xff]*$/;
const ORIGIN = /^(live|replay)$/;

function checkValue(field: string, form: RegExp, value: unknown): void {
  if (typeof value === 'string' && form.test(value)) return;
  const cure = form === ORIGIN ? 'live or replay' : 'Latin-1 without line breaks';
  throw unusable('invalid_header', field, kindOf(value), cure);
}

export type HeaderNames = Readonly<Record<keyof DeliveryDetails | 'signature', string>>;

/** Names of a brand's headers, each passed through `spell`. */
export function headerNames(brand: string, spell: (name: string) => string): HeaderNames {
  const named = (part: string): string => spell(`${brand}-${part}`);
  return {
    eventId: named('Event-Id'),
    eventType: named('Event-Type'),
    origin: named('Origin'),
    timestamp: named('Timestamp'),
    signature: named('Signature'),
  };
}

/** The headers of Standard Webhooks. */
export const STANDARD = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/**
 * The headers of a delivery, in the order and spelling of docs/signing.md.
 *
 * @param signatures - The value of each scheme's signature header; null for one that is not sent.
 */
export function deliveryHeaders(
  brand: string,
  names: HeaderNames,
  about: DeliveryDetails,
  { svc, standard_webhooks: standard }: ForSchemes<string | null>,
): Record<string, string> {
  const timestamp = String(about.timestamp);
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${brand.toLowerCase()}-dispatcher/1`,
    ...(svc !== null && { [names.eventId]: about.eventId }),
    [names.eventType]: about.eventType,
    [names.origin]: about.origin,
    ...(svc !== null && { [names.timestamp]: timestamp, [names.signature]: svc }),
    ...(standard !== null && {
      [STANDARD.id]: about.eventId,
      [STANDARD.timestamp]: timestamp,
      [STANDARD.signature]: standard,
    }),
  };
}

/** The largest number of 12 digits. */
const MAX_TIMESTAMP = 999_999_999_999;

/**
 * The prefix of the signed payload; the body follows it.
 *
 * @throws {@link OptionError} `invalid_timestamp` unless it has 1 to 12 digits.
 * @see docs/signing.md
 */
export function signedPrefix(timestamp: number): string {
  if (isIntegerIn(timestamp, 0, MAX_TIMESTAMP)) return `${timestamp}.`;
  throw unusable('invalid_timestamp', 'timestamp', show(timestamp), `whole ${UNIX_SECONDS}`);
}

/** Ids that Standard Webhooks can sign: with a full stop in one, a signature would fit two splits of what is signed. */
const STANDARD_ID = /^[!-\-/-~]+$/;

/**
 * The prefix of what Standard Webhooks signs; the body follows it.
 *
 * @throws {@link OptionError} `invalid_timestamp`, `invalid_header`
 */
export function standardPrefix({ eventId, timestamp }: DeliveryDetails): string {
  const prefix = signedPrefix(timestamp);
  if (STANDARD_ID.test(eventId)) return `${eventId}.${prefix}`;
  throw unusable('invalid_header', 'eventId', kindOf(eventId), 'ASCII without blanks and full stops');
}

export const malformed = (message: string): SignatureError => new SignatureError('malformed_header', message);

/** The most common cause of changed headers. */
export const PROXY = 'does a proxy rewrite or double it?';

/** A parsed signature. */
export interface ParsedSignature {
  readonly scheme: Scheme;
  /** The beginning of what is signed, as it was sent. */
  readonly prefix: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** The first 16 `v1` values, unchecked. */
  readonly v1: readonly string[];
}

/**
 * Parses the headers of Standard Webhooks: an id, the seconds, and `v1,<base64>` with blanks between several. Other
 * versions are ignored.
 *
 * @throws {@link SignatureError} `malformed_header`
 */
export function parseStandard(id: string, time: string, header: string): ParsedSignature {
  if (!STANDARD_ID.test(id)) {
    throw malformed(`${STANDARD.id}: must be ASCII without blanks or dots; ${PROXY}`);
  }
  const timestamp = time === '' ? NaN : parseTimestamp(time);
  if (Number.isNaN(timestamp)) throw malformed(`${STANDARD.timestamp}: must be 1 to 12 digits; ${PROXY}`);
  const v1: string[] = [];
  for (let start = 0, end; start <= header.length && v1.length < MAX_SIGNATURES; start = end + 1) {
    end = header.indexOf(' ', start);
    if (end < 0) end = header.length;
    if (header.startsWith('v1,', start)) v1.push(header.slice(start + 3, end));
  }
  if (v1.length > 0) return { scheme: 'standard_webhooks', prefix: `${id}.${time}.`, timestamp, v1 };
  throw malformed(`${STANDARD.signature}: has no v1; ${PROXY}`);
}

const UNKNOWN_PART = /^[^\s=]+=/;

/**
 * Parses `t=<timestamp>,v1=<hex>` with any number of `v1` and of unknown `key=value` parts, in any order. White space
 * is not allowed, so two headers that were joined with `, ` are malformed.
 *
 * @param name - Name of the header, for messages.
 * @throws {@link SignatureError} `malformed_header`
 * @see docs/signing.md
 */
export function parseSignature(header: string, name: string): ParsedSignature {
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
  if (t && timestamp >= 0 && v1.length > 0) return { scheme: 'svc', prefix: `${t}.`, timestamp, v1 };
  throw malformed(`${name}: must have one t= of 1 to 12 digits, and a v1=; ${PROXY}`);
}

/**
 * The value of 1 to 12 digits; NaN for other text, 0 for empty text. A RegExp would take a tenth of the time of
 * verifying 1 KB.
 */
function parseTimestamp(text = ''): number {
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    value = digit >= 0 && digit <= 9 && i < 12 ? value * 10 + digit : NaN;
  }
  return value;
}
