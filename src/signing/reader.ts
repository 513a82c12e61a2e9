/** Reads a delivery on the receiver's side: all checks before its signature is computed. */
import type { DeliveryDetails, Origin } from '../delivery-details.js';
import { type Bytes, type Payload, readBody } from './body.js';
import { show } from './given.js';
import {
  type HeaderNames,
  headerNames,
  malformed,
  type ParsedSignature,
  parseSignature,
  parseStandard,
  PROXY,
  STANDARD,
} from './header.js';
import { checkHeaders, type HeaderSource, missing, readHeader } from './header-source.js';
import { checkBrand, checkClock, checkSeconds, UNIX_SECONDS, type VerifierOptions } from './options.js';
import type { Scheme } from './schemes.js';
import { SignatureError } from './signature-error.js';

/**
 * A genuine delivery. The signature covers the body and `timestamp`, and that of Standard Webhooks `eventId`, too. It
 * does **not** cover the other headers: base important decisions on the body.
 */
export interface VerifiedDelivery extends DeliveryDetails {
  /** Event id from its header; `''` where the header is absent. */
  readonly eventId: string;
  /** Event type from its header, which is not signed; `''` where the header is absent. */
  readonly eventType: string;
  /** Origin from its header, which is not signed; `live` where the header is absent. */
  readonly origin: Origin;
}

/** A delivery that is well-formed and fresh, and genuine if one of its `v1` values is. */
export interface Candidate extends Payload {
  readonly scheme: Scheme;
  readonly v1: readonly string[];
  readonly delivery: VerifiedDelivery;
}

/** The checks that need no hash come first, so that nothing is hashed for a delivery that they refuse. */
export function createReader(options: VerifierOptions): (body: Bytes, given: HeaderSource) => Candidate {
  const names = headerNames(checkBrand(options.brand), (name) => name.toLowerCase());
  const checkAge = createAgeCheck(options);
  return (given, source) => {
    const body = readBody(given);
    const headers = checkHeaders(source);
    const sent = readSvc(headers, names) ?? readStandard(headers);
    if (sent === null) throw missing(names.signature, source);
    const { idName, echo, timestamp, ...signed } = sent;
    const origin = readOrigin(headers, names.origin);
    if (echo !== undefined && `${echo}.` !== signed.prefix) {
      throw new SignatureError('timestamp_mismatch', `${names.timestamp}: not t; ${PROXY}`);
    }
    checkAge(timestamp);
    const eventId = readHeader(headers, idName) ?? '';
    const eventType = readHeader(headers, names.eventType) ?? '';
    return { ...signed, body, delivery: { eventId, eventType, origin, timestamp } };
  };
}

/** The headers of a scheme. */
interface Sent extends ParsedSignature {
  /** Name of the header with the event's id. */
  readonly idName: string;
  /** The header that repeats the timestamp; `undefined` if the request does not have it. */
  readonly echo: string | undefined;
}

/** Null if there is no signature of Svc's. */
function readSvc(headers: HeaderSource, names: HeaderNames): Sent | null {
  const signature = readHeader(headers, names.signature);
  if (signature === undefined) return null;
  const parsed = parseSignature(signature, names.signature);
  return { ...parsed, idName: names.eventId, echo: readHeader(headers, names.timestamp) };
}

/** Null if there is no signature of Standard Webhooks. */
function readStandard(headers: HeaderSource): Sent | null {
  const signature = readHeader(headers, STANDARD.signature);
  if (signature === undefined) return null;
  const id = readHeader(headers, STANDARD.id) ?? '';
  const time = readHeader(headers, STANDARD.timestamp) ?? '';
  return { ...parseStandard(id, time, signature), idName: STANDARD.id, echo: undefined };
}

function readOrigin(headers: HeaderSource, name: string): Origin {
  const origin = readHeader(headers, name) ?? 'live';
  if (origin === 'live' || origin === 'replay') return origin;
  throw malformed(`${name}: not live or replay; ${PROXY}`);
}

/** Refuses timestamps outside of the window, and all of them while the clock does not return a finite number. */
function createAgeCheck({
  toleranceSeconds = 300,
  futureToleranceSeconds = Infinity,
  now = () => Math.floor(Date.now() / 1000),
}: VerifierOptions): (timestamp: number) => void {
  checkSeconds('toleranceSeconds', toleranceSeconds);
  checkSeconds('futureToleranceSeconds', futureToleranceSeconds);
  checkClock(now);
  return (timestamp) => {
    const clock = now();
    const age = Number.isFinite(clock) ? clock - timestamp : NaN;
    if (!(age <= toleranceSeconds)) throw new SignatureError('timestamp_too_old', tooOld(clock, age));
    if (age < -futureToleranceSeconds) {
      throw new SignatureError('timestamp_in_future', `t: in ${-age} s; ${CLOCK}`);
    }
  };
}

const CLOCK = 'is the clock here right?';

/** A `t` of 12 digits cannot have an age of 1e12 seconds: the clock returned milliseconds, or no number. */
function tooOld(clock: number, age: number): string {
  return age < 1e12 ? `t: ${age} s ago; ${CLOCK}` : `now: got ${show(clock)}; give ${UNIX_SECONDS}`;
}
