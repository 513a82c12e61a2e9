/** The published vectors, on a verifier. */
import type { VerifiedDelivery, VerifierOptions } from 'headgate/signing/web';
import { isPlain, optionsOf, type SigningVector, wantedOf } from '../../signing/signing-vectors.js';
import { given } from '../given.js';
import { type Checks, equal } from './checks.js';

type Verify = (
  body: string | Uint8Array,
  headers: Headers | SigningVector['headers'],
) => VerifiedDelivery | Promise<VerifiedDelivery>;

/** `headgate/signing` or `headgate/signing/web`. */
interface Signing {
  readonly createVerifier: (options: VerifierOptions) => Verify;
  readonly SignatureError: new (...about: never[]) => Error & { readonly code: string };
}

/** A check for each vector: the body as bytes and as text, the headers as an object and as fetch's. */
export const signingChecks = (signing: Signing): Checks =>
  Object.fromEntries(given.signing.map((vector) => [vector.name, () => check(signing, vector)]));

async function check({ createVerifier, SignatureError }: Signing, vector: SigningVector): Promise<void> {
  const verify = createVerifier(optionsOf(vector));
  const { body_base64: base64, body_text: text, headers } = vector;
  const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
  const outcome = async (...given: Parameters<Verify>): Promise<unknown> => {
    try {
      return await verify(...given);
    } catch (error) {
      if (error instanceof SignatureError) return error.code;
      throw error;
    }
  };
  const wanted = sorted(wantedOf(vector));
  equal(sorted(await outcome(bytes, headers)), wanted, 'bytes');
  if (text !== undefined) equal(sorted(await outcome(text, headers)), wanted, 'text');
  if (isPlain(vector)) equal(sorted(await outcome(bytes, new Headers(headers))), wanted, 'Headers');
}

/** The members in one order. */
const sorted = (outcome: unknown): unknown =>
  typeof outcome === 'object' && outcome !== null ? Object.entries(outcome).sort() : outcome;
