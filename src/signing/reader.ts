/** Reads a delivery on the receiver's side: all checks before its signature is computed. */
import type { DeliveryDetails, Origin } from '../delivery-details.js';
import { type Bytes, type Payload, readBody } from './body.js';
import { show } from './given.js';
import { headerNames, malformed, parseSignature, PROXY } from './header.js';
import { checkHeaders, type HeaderSource, missing, readHeader } from './header-source.js';
import { checkBrand, checkClock, checkSeconds, UNIX_SECONDS, type VerifierOptions } from './options.js';
import { SignatureError } from './signature-error.js';

/**
 * A genuine delivery. The signature covers the body and `timestamp`. It does **not** cover the headers of `eventId`,
 * `eventType` and `origin`: base important decisions on the body.
 */
export interface VerifiedDelivery extends DeliveryDetails {
  /** Event id from its header, which is not signed; `''` where the header is absent. */
  readonly eventId: string;
  /** Event type from its header, which is not signed; `''` where the header is absent. */
  readonly eventType: string;
  /** Origin from its header, which is not signed; `live` where the header is absent. */
  readonly origin: Origin;
}

/** A delivery that is well-formed and fresh, and genuine if one of its `v1` values is. */
export interface Candidate extends Payload {
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
    const signature = readHeader(headers, names.signature);
    if (signature === undefined) throw missing(names.signature, source);
    const { t, timestamp, v1 } = parseSignature(signature, names.signature);
    const origin = readOrigin(headers, names.origin);
    if ((readHeader(headers, names.timestamp) ?? t) !== t) {
      throw new SignatureError('timestamp_mismatch', `${names.timestamp}: not t; ${PROXY}`);
    }
    checkAge(timestamp);
    const eventId = readHeader(headers, names.eventId) ?? '';
    const eventType = readHeader(headers, names.eventType) ?? '';
    return { prefix: `${t}.`, body, v1, delivery: { eventId, eventType, origin, timestamp } };
  };
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
