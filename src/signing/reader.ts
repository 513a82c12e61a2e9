/** Reads a delivery's headers, up to the comparison of MACs. */
import { type Bytes, type Payload, readBody } from './body.js';
import { show } from './given.js';
import {
  type DeliveryDetails,
  headerNames,
  malformed,
  type Origin,
  parseSignature,
  PROXY,
} from './header.js';
import { checkHeaders, type HeaderSource, missing, readHeader } from './header-source.js';
import { checkBrand, checkClock, checkSeconds, UNIX_SECONDS, type VerifierOptions } from './options.js';
import { SignatureError } from './signature-error.js';

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
export interface Candidate extends Payload {
  readonly v1: readonly string[];
  readonly delivery: VerifiedDelivery;
}

/** Cheap checks come first: nothing is hashed for a delivery that would be refused anyway. */
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

/** Refuses timestamps outside the window. A clock that returns no finite number refuses all. */
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

/** An age that no `t` of 12 digits can have is one of a clock in milliseconds, or of none. */
function tooOld(clock: number, age: number): string {
  return age < 1e12 ? `t: ${age} s ago; ${CLOCK}` : `now: got ${show(clock)}; give ${UNIX_SECONDS}`;
}
