import { type DeliveryDetails, malformed, type Origin, parseSignature } from './header.js';
import { checkBrand, checkSeconds, type VerifierOptions } from './options.js';
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
export function createReader(
  options: VerifierOptions,
): (given: HeaderSource | null | undefined) => Candidate {
  const brand = checkBrand(options.brand).toLowerCase();
  const names = {
    signature: `${brand}-signature`,
    timestamp: `${brand}-timestamp`,
    origin: `${brand}-origin`,
    eventId: `${brand}-event-id`,
    eventType: `${brand}-event-type`,
  };
  const checkAge = createAgeCheck(options);
  return (given) => {
    const headers = given ?? {};
    const signature = readHeader(headers, names.signature);
    if (signature === undefined) throw new SignatureError('missing_header', `${names.signature}: missing`);
    const { t, timestamp, v1 } = parseSignature(signature);
    const origin = readHeader(headers, names.origin) ?? 'live';
    if (origin !== 'live' && origin !== 'replay') throw malformed(names.origin);
    if ((readHeader(headers, names.timestamp) ?? t) !== t) {
      throw new SignatureError('timestamp_mismatch', `${names.timestamp}: not t`);
    }
    checkAge(timestamp);
    const eventId = readHeader(headers, names.eventId) ?? '';
    const eventType = readHeader(headers, names.eventType) ?? '';
    return { prefix: `${t}.`, v1, delivery: { eventId, eventType, origin, timestamp } };
  };
}

/**
 * Ends verifying. Whoever calls it has compared every MAC with every `v1`, also after a match, so that the time taken
 * does not tell which one it was.
 *
 * @throws {@link SignatureError} `signature_mismatch`
 */
export function accept({ delivery }: Candidate, genuine: boolean): VerifiedDelivery {
  if (genuine) return delivery;
  throw new SignatureError('signature_mismatch', 'no v1 fits secret and raw body');
}

/** Refuses timestamps outside the window. A clock that returns no number refuses all. */
function createAgeCheck({
  toleranceSeconds = 300,
  futureToleranceSeconds = Infinity,
  now = () => Math.floor(Date.now() / 1000),
}: VerifierOptions): (timestamp: number) => void {
  checkSeconds(toleranceSeconds);
  checkSeconds(futureToleranceSeconds);
  return (timestamp) => {
    const age = now() - timestamp;
    if (!(age <= toleranceSeconds)) throw new SignatureError('timestamp_too_old', `t: ${age} s ago`);
    if (age < -futureToleranceSeconds) throw new SignatureError('timestamp_in_future', `t: in ${-age} s`);
  };
}

/** One header's text, by its name in lower case. Several values become one as in fetch, with `, ` between them. */
function readHeader(headers: HeaderSource, name: string): string | undefined {
  const value: unknown = hasGet(headers) ? headers.get(name) : readOwn(headers, name);
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  throw malformed(name);
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
