/** Finds out which part of a delivery is wrong. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SchemeOption } from '../../signing/index.js';
import { bodiesLike, secretsLike, type Variant } from './variants.js';

/** One part of a delivery: right, wrong and how, or not known. */
export interface Part {
  readonly is: 'ok' | 'wrong' | 'unknown';
  /** Completes the name of the part; may be empty if it is right. */
  readonly how: string;
}

/** The state of each part, as the signature tells it. */
export interface Diagnosis {
  readonly body: Part;
  readonly secret: Part;
  readonly time: Part;
}

/** A delivery as it came. */
export interface Delivery {
  readonly scheme: Exclude<SchemeOption, 'both'>;
  /** When it was signed, as it was sent. */
  readonly t: string;
  /** Texts that may have been signed before the body, the right one first. */
  readonly prefixes: readonly Variant<string>[];
  /** The signatures. */
  readonly macs: readonly Uint8Array[];
  readonly body: Uint8Array;
}

export const OK: Part = { is: 'ok', how: '' };
export const wrong = (how: string): Part => ({ is: 'wrong', how });
const partOf = ({ how }: Variant<unknown>): Part => (how === null ? OK : wrong(how));

/** A try: with one body, one secret, one time. */
interface Trial {
  readonly body: Variant<Uint8Array>;
  readonly secret: Variant<string | Uint8Array>;
  /** Between time and body. */
  readonly prefix: Variant<string>;
}

/**
 * Tries what may have been signed, beginning with the fewest mistakes, until the signature fits.
 *
 * @param secrets - Secrets, one of which should have signed the delivery.
 */
export function diagnose(delivery: Delivery, secrets: readonly string[]): Diagnosis {
  const bodies = bodiesLike(delivery.body);
  const keys = secrets.flatMap((secret) => secretsLike(secret, delivery.scheme));
  const trials = delivery.prefixes.flatMap((prefix) =>
    keys.flatMap((secret) => bodies.map((body): Trial => ({ body, secret, prefix }))),
  );
  const found = trials
    .sort((one, other) => mistakes(one) - mistakes(other))
    .find((trial) => fits(trial, delivery));
  if (found === undefined) return delivery.body.length === 0 ? EMPTY : UNKNOWN;
  return { body: partOf(found.body), secret: partOf(found.secret), time: partOf(found.prefix) };
}

const UNKNOWN: Diagnosis = {
  body: { is: 'unknown', how: 'was changed on the way, or the secret is another one' },
  secret: { is: 'unknown', how: 'is another one, or the body was changed on the way' },
  time: OK,
};

/** An empty body may have been signed, but hardly ever is. */
const EMPTY: Diagnosis = {
  ...UNKNOWN,
  body: { is: 'unknown', how: 'is empty: was it read before it was captured?' },
};

const mistakes = ({ body, secret, prefix }: Trial): number =>
  [body, secret, prefix].filter(({ how }) => how !== null).length;

function fits({ body, secret, prefix }: Trial, { macs }: Delivery): boolean {
  // A changed secret may be empty.
  if (secret.value.length === 0) return false;
  const mac = createHmac('sha256', secret.value).update(prefix.value).update(body.value).digest();
  return macs.some((sent) => sent.length === mac.length && timingSafeEqual(sent, mac));
}
