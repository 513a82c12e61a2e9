/** Verifies a captured request as a receiver does, and reports for each of its parts whether it is right. */
import { createVerifier, SignatureError } from '../../signing/index.js';
import { showDuration } from '../output/text.js';
import { type Delivery, diagnose, OK, type Part, wrong } from './diagnosis.js';
import type { Variant } from './variants.js';
import type { CapturedRequest } from './request.js';

/** All that is known of a request. */
export interface Verdict {
  /** Code of the error that a receiver throws; null if it accepts the request. */
  readonly code: string | null;
  readonly headers: Part;
  readonly body: Part;
  readonly secret: Part;
  readonly time: Part;
  /** ISO 8601; null if the headers do not tell. */
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

/** As receivers do, looks for the signature of the brand first. */
function deliveryOf(request: CapturedRequest, { brand }: Terms): Delivery {
  const header = (part: string): string | undefined => request.headers.get(`${brand}-${part}`.toLowerCase());
  const signature = header('Signature');
  return signature === undefined
    ? standardDelivery(request)
    : svcDelivery(request, signature, header('Timestamp'));
}

const NOTHING: Variant<string> = {
  value: '',
  how: 'was not signed: the sender signs the body alone, which is another scheme',
};

function svcDelivery({ body }: CapturedRequest, signature: string, timestamp: string | undefined): Delivery {
  const valuesOf = (key: string): string[] =>
    signature.split(',').flatMap((part) => (part.startsWith(key) ? [part.slice(key.length)] : []));
  const t = valuesOf('t=')[0] ?? '';
  const changed = 'was signed as another one: t in the signature header was changed';
  const other = timestamp === undefined || timestamp === t ? [] : [{ value: `${timestamp}.`, how: changed }];
  return {
    ...{ scheme: 'svc', t, body, prefixes: [{ value: `${t}.`, how: null }, ...other, NOTHING] },
    macs: valuesOf('v1=').map((value) => Buffer.from(value, 'hex')),
  };
}

function standardDelivery({ headers, body }: CapturedRequest): Delivery {
  const [id, t, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers.get(name) ?? '',
  ) as [string, string, string];
  const withoutId = 'was signed without the id before it, which is another scheme';
  const prefixes = [{ value: `${id}.${t}.`, how: null }, { value: `${t}.`, how: withoutId }, NOTHING];
  return {
    ...{ scheme: 'standard_webhooks', t, body, prefixes },
    macs: signature
      .split(' ')
      .flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice('v1,'.length), 'base64')] : [])),
  };
}

interface Time extends Terms {
  readonly age: number;
  /** The two timestamps of the headers differ. */
  readonly isMismatch: boolean;
}

function timePart(signed: Part, { age, maxAgeSeconds, isMismatch, brand }: Time): Part {
  if (signed.is === 'wrong') return signed;
  if (isMismatch) {
    return wrong(`is given twice, and differs: ${brand}-Timestamp is not t in the signature header`);
  }
  const ago =
    age < 0
      ? `was signed ${showDuration(-age * 1_000)} after it came`
      : `was signed ${showDuration(age * 1_000)} before it came`;
  if (age > maxAgeSeconds) {
    return wrong(`is too old: it ${ago}, and ${showDuration(maxAgeSeconds * 1_000)} are accepted`);
  }
  return { is: 'ok', how: age < 0 ? `${ago}: is a clock wrong?` : ago };
}
