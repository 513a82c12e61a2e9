import { OptionError } from '../errors.js';
import {
  type DeliveryDetails,
  headerNames,
  type HeaderNames,
  type Origin,
  isOrigin,
  parseSignature,
} from './header.js';
import { checkBrand, checkSeconds, type VerifierOptions } from './options.js';
import { SignatureError } from './signature-error.js';

/**
 * The headers of a request: a fetch `Headers`, or an object such as node's `request.headers`. Names match in
 * any case, and only own properties count.
 */
export type HeaderSource =
  | {
      /** As in `Headers`: the value, or `null` where there is none. */
      get(name: string): string | null;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A genuine delivery. The signature covers the body and `timestamp`; `eventId`, `eventType` and `origin` are
 * read from headers that it does **not** cover: take what money depends on from the body.
 */
export interface VerifiedDelivery extends DeliveryDetails {
  /** Event id from its header, which is not signed; `''` where the header is absent. */
  readonly eventId: string;
  /** Event type from its header, which is not signed; `''` where the header is absent. */
  readonly eventType: string;
  /** Origin from its header, which is not signed; `live` where the header is absent. */
  readonly origin: Origin;
}

/** A delivery that is well-formed and fresh; whether it is genuine is up to its `v1` values. */
export interface Candidate {
  /** What the sender put before the body to sign it. */
  readonly prefix: string;
  readonly v1: readonly string[];
  readonly delivery: VerifiedDelivery;
}

/**
 * Everything about verifying that needs no cryptography, so that node and web cannot differ in it. Cheap checks
 * come first: nothing is hashed for a delivery that would be refused anyway.
 */
export function createReader(options: VerifierOptions): (headers: HeaderSource) => Candidate {
  const names = headerNames(checkBrand(options.brand));
  const fields = fieldsOf(names);
  const checkAge = createAgeCheck(options);
  return (headers) => {
    checkHeaders(headers);
    const values = readHeaders(headers, fields);
    if (values.signature === undefined) {
      throw new SignatureError('missing_header', `there is no ${names.signature} header`);
    }
    const { t, v1 } = parseSignature(values.signature);
    const { eventId = '', eventType = '', origin = 'live' } = values;
    if (!isOrigin(origin)) {
      throw new SignatureError('malformed_header', `${names.origin} is neither live nor replay`);
    }
    if (values.timestamp !== undefined && values.timestamp !== t) {
      throw new SignatureError(
        'timestamp_mismatch',
        `${names.timestamp} differs from t in ${names.signature}`,
      );
    }
    const timestamp = Number(t);
    checkAge(timestamp);
    return { prefix: `${t}.`, v1, delivery: { eventId, eventType, origin, timestamp } };
  };
}

/**
 * Lets a candidate through when one of its `v1` values is one of the expected MACs. Every pair is compared, also after
 * a match, so that the time taken does not tell which secret it was.
 *
 * @param equals - Compares two texts in a time that depends on their lengths only.
 * @throws {@link SignatureError} `signature_mismatch`
 */
export function accept(
  candidate: Candidate,
  expected: readonly string[],
  equals: (expected: string, presented: string) => boolean,
): VerifiedDelivery {
  let genuine = false;
  for (const mac of expected) {
    for (const v1 of candidate.v1) genuine = equals(mac, v1) || genuine;
  }
  if (genuine) return candidate.delivery;
  throw new SignatureError(
    'signature_mismatch',
    'no v1 was made with a known secret over this body: is it the raw one?',
  );
}

/** Refuses timestamps outside the window. A clock that returns no number refuses all. */
function createAgeCheck(options: VerifierOptions): (timestamp: number) => void {
  const { toleranceSeconds = 300, futureToleranceSeconds = Infinity, now = systemClock } = options;
  const oldest = checkSeconds('toleranceSeconds', toleranceSeconds);
  const newest = checkSeconds('futureToleranceSeconds', futureToleranceSeconds);
  return (timestamp) => {
    const age = now() - timestamp;
    if (!(age <= oldest)) {
      throw new SignatureError('timestamp_too_old', `t is ${age} s old, of at most ${oldest} s`);
    }
    if (!(-age <= newest)) {
      throw new SignatureError('timestamp_in_future', `t is ${-age} s ahead, of at most ${newest} s`);
    }
  };
}

const systemClock = () => Math.floor(Date.now() / 1000);

/** Field by lower-case header name. */
type Fields = ReadonlyMap<string, keyof HeaderNames>;
type Values = Partial<Record<keyof HeaderNames, string | undefined>>;

function fieldsOf(names: HeaderNames): Fields {
  const fields = Object.keys(names) as (keyof HeaderNames)[];
  return new Map(fields.map((field) => [names[field].toLowerCase(), field]));
}

function checkHeaders(headers: unknown): void {
  if (typeof headers === 'object' && headers !== null) return;
  throw new OptionError('invalid_header', 'headers: those of the request, as an object or as Headers');
}

function readHeaders(headers: HeaderSource, fields: Fields): Values {
  const values: Values = {};
  if (hasGet(headers)) {
    for (const [name, field] of fields) values[field] = joined(undefined, headers.get(name));
    return values;
  }
  for (const name of Object.keys(headers)) {
    const field = fields.get(name.toLowerCase());
    if (field !== undefined) values[field] = joined(values[field], headers[name]);
  }
  return values;
}

function hasGet(headers: HeaderSource): headers is Extract<HeaderSource, { get(name: string): unknown }> {
  return typeof headers.get === 'function';
}

/** Puts values of one header together as fetch does: with `, ` between them. */
function joined(before: string | undefined, value: unknown): string | undefined {
  if (value === undefined || value === null) return before;
  if (typeof value === 'string') return before === undefined ? value : `${before}, ${value}`;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return value.length === 0 ? before : joined(before, value.join(', '));
  }
  throw new SignatureError('malformed_header', 'a header value is not text');
}
