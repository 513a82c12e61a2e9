/** The shape of test/vectors/signing.json, and how a vector is handed to a verifier. */
import type { SignatureErrorCode, VerifiedDelivery, VerifierOptions } from '../../src/signing/index.js';

/** A delivery as a receiver gets it, and what it says of it. */
export interface SigningVector {
  readonly name: string;
  readonly brand?: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body_base64: string;
  readonly body_text?: string;
  readonly now: number;
  readonly tolerance_seconds: number;
  readonly future_tolerance_seconds?: number;
  readonly expected:
    | { readonly accepted: { event_id: string; event_type: string; origin: string; timestamp: number } }
    | { readonly refused: { readonly code: SignatureErrorCode; readonly why: string } };
}

export const optionsOf = (vector: SigningVector): VerifierOptions => ({
  secrets: vector.secrets,
  now: () => vector.now,
  toleranceSeconds: vector.tolerance_seconds,
  ...(vector.brand !== undefined && { brand: vector.brand }),
  ...(vector.future_tolerance_seconds !== undefined && {
    futureToleranceSeconds: vector.future_tolerance_seconds,
  }),
});

/** The code of the refusal, or the delivery that is accepted. */
export function wantedOf({ expected }: SigningVector): SignatureErrorCode | VerifiedDelivery {
  if ('refused' in expected) return expected.refused.code;
  const { event_id: eventId, event_type: eventType, ...rest } = expected.accepted;
  return { eventId, eventType, ...rest } as VerifiedDelivery;
}

/** True for headers that fetch's `Headers` holds as they are: Latin-1 without white space at the ends. */
export const isPlain = ({ headers }: SigningVector): boolean =>
  Object.values(headers).every((value) => /^[\0-\xff]*$/.test(value) && value === value.trim());
