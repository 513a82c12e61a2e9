/** Verifies a captured request as a receiver does, and tells of each of its parts whether it is right. */
import { createVerifier, SignatureError } from '../../signing/index.js';
import { showDuration } from '../output/text.js';
import { type Delivery, diagnose, OK, type Part, wrong } from './diagnosis.js';
import type { CapturedRequest } from './request.js';

/** All that is known of a request. */
export interface Verdict {
  /** Code of the error that a receiver throws; null where it accepts the request. */
  readonly code: string | null;
  readonly headers: Part;
  readonly body: Part;
  readonly secret: Part;
  readonly time: Part;
  /** ISO 8601; null where the headers do not tell. */
  readonly signed_at: string | null;
  readonly age_seconds: number | null;
}

/** How to verify. */
export interface Terms {
  readonly secrets: readonly string[];
  readonly brand: string;
  /** When the request was received, Unix seconds. */
  readonly at: number;
  readonly maxAgeSeconds: number;
}

export function judge(request: CapturedRequest, terms: Terms): Verdict {
  const error = refusal(request, terms);
  if (error?.code === 'missing_header' || error?.code === 'malformed_header') {
    const how = `cannot be read: ${error.message}${otherBrands(request, terms)}`;
    return { code: error.code, headers: wrong(how), ...NOT_KNOWN, signed_at: null, age_seconds: null };
  }
  const delivery = deliveryOf(request, terms);
  const age = terms.at - Number(delivery.t);
  const { body, secret, time } = diagnose(delivery, terms.secrets);
  return {
    code: error?.code ?? null,
    headers: OK,
    body,
    secret,
    time: timePart(time, { age, isMismatch: error?.code === 'timestamp_mismatch', ...terms }),
    signed_at: new Date(Number(delivery.t) * 1_000).toISOString(),
    age_seconds: age,
  };
}

/** The error of a receiver. */
function refusal({ headers, body }: CapturedRequest, terms: Terms): SignatureError | null {
  const { secrets, brand, at, maxAgeSeconds } = terms;
  try {
    const verify = createVerifier({ secrets, brand, toleranceSeconds: maxAgeSeconds, now: () => at });
    verify(body, Object.fromEntries(headers));
    return null;
  } catch (error) {
    if (error instanceof SignatureError) return error;
    throw error;
  }
}

const NOT_READ: Part = { is: 'unknown', how: 'has no signature to be held to' };
const NOT_KNOWN = { body: NOT_READ, secret: NOT_READ, time: NOT_READ };

/** Names the brands that the request has a signature of. */
function otherBrands({ headers }: CapturedRequest, { brand }: Terms): string {
  const others = [...headers.keys()].filter(
    (name) => name.endsWith('-signature') && name !== `${brand.toLowerCase()}-signature`,
  );
  return others
    .map((name) => `; there is ${name}: is that --brand ${name.slice(0, -'-signature'.length)}?`)
    .join('');
}

function deliveryOf({ headers, body }: CapturedRequest, { brand }: Terms): Delivery {
  const header = (part: string): string | undefined => headers.get(`${brand}-${part}`.toLowerCase());
  const parts = (header('Signature') ?? '').split(',');
  const valuesOf = (key: string): string[] =>
    parts.filter((part) => part.startsWith(key)).map((part) => part.slice(key.length));
  return { t: valuesOf('t=')[0] ?? '', timestamp: header('Timestamp'), v1: valuesOf('v1='), body };
}

interface Time extends Terms {
  readonly age: number;
  /** The two timestamps of the headers differ. */
  readonly isMismatch: boolean;
}

function timePart(signed: Part, { age, maxAgeSeconds, isMismatch, brand }: Time): Part {
  if (signed.is === 'wrong') return signed;
  if (isMismatch) return wrong(`is told twice: ${brand}-Timestamp is not t in the signature header`);
  const ago =
    age < 0
      ? `was signed ${showDuration(-age * 1_000)} after it came`
      : `was signed ${showDuration(age * 1_000)} before it came`;
  if (age > maxAgeSeconds) {
    return wrong(`is too old: it ${ago}, and ${showDuration(maxAgeSeconds * 1_000)} are accepted`);
  }
  return { is: 'ok', how: age < 0 ? `${ago}: is a clock wrong?` : ago };
}
