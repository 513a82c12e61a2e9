/** Sources that sign with HMAC-SHA256: what differs among them is where the parts stand, and how they are spelled. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type HeaderPairs, headerValues } from '../http/headers.js';
import {
  GENUINE,
  refused,
  signedSource,
  type Source,
  type SourceFailureCode,
  type SourceRequest,
  TOLERANCE_SECONDS,
} from './source.js';

/** The claim in the headers of a request. */
export interface Claim {
  /** Unix seconds; `null` in a scheme without time. */
  readonly timestamp: number | null;
  /** The signed text before the body. */
  readonly prefix: string;
  /** The request is genuine if one of these is right. */
  readonly macs: readonly string[];
}

/** An HMAC scheme. */
export interface HmacScheme
  extends
    Pick<Source, 'name' | 'deliveryId'>,
    Partial<Pick<Source, 'secretProblem' | 'challenge' | 'topic'>> {
  /**
   * Names, in lower case, of headers that must be there exactly once. Of several sets, the first counts of which any
   * header was sent.
   */
  readonly headerSets: readonly (readonly string[])[];
  /** The claim that the values of one set make; `null` for values of another form. */
  readonly read: (values: readonly string[]) => Claim | null;
  readonly encoding: 'hex' | 'base64';
  readonly keyOf?: (secret: string) => string | Uint8Array;
}

/** Makes a source of a scheme. */
export function hmacSource({ headerSets, read, encoding, keyOf = String, ...source }: HmacScheme): Source {
  return {
    ...signedSource,
    ...source,
    verify(request, { secrets }) {
      const values = readSet(request.headers, headerSets);
      if (typeof values === 'string') return refused(values);
      const claim = read(values);
      if (claim === null) return refused('malformed_header');
      const untimely = checkTime(claim.timestamp, request.now);
      if (untimely !== null) return refused(untimely);
      const macs = secrets.map((secret) => mac(keyOf(secret), claim.prefix, request).digest(encoding));
      return anyEqual(macs, claim.macs) ? GENUINE : refused('signature_mismatch');
    },
  };
}

/** The values of the first set of which any header was sent, or why they are not there. */
function readSet(
  headers: HeaderPairs,
  sets: HmacScheme['headerSets'],
): readonly string[] | SourceFailureCode {
  const found = sets.map((names) => names.map((name) => headerValues(headers, name)));
  const values = found.find((set) => set.some(({ length }) => length > 0)) ?? [[]];
  if (values.some(({ length }) => length > 1)) return 'repeated_header';
  if (values.some(({ length }) => length === 0)) return 'missing_header';
  return values.flat();
}

function checkTime(timestamp: number | null, now: number): SourceFailureCode | null {
  if (timestamp === null) return null;
  const age = Math.floor(now / 1000) - timestamp;
  if (age < -TOLERANCE_SECONDS) return 'timestamp_in_future';
  return age <= TOLERANCE_SECONDS ? null : 'timestamp_too_old';
}

const mac = (key: string | Uint8Array, prefix: string, { body }: SourceRequest) =>
  createHmac('sha256', key).update(prefix).update(body);

/** Compares each with each, also after one was equal. */
function anyEqual(expected: readonly string[], given: readonly string[]): boolean {
  let found = false;
  for (const a of expected) {
    for (const b of given) found = equal(Buffer.from(a), Buffer.from(b)) || found;
  }
  return found;
}

const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** The value of a timestamp of 1 to 12 digits; NaN for other text. */
export const parseSeconds = (text: string): number => (/^\d{1,12}$/.test(text) ? Number(text) : NaN);
