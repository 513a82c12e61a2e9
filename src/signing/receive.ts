/** All of verifying except how a MAC is made and compared, so that node:crypto and WebCrypto cannot differ in it. */
import type { Bytes } from './body.js';
import type { HeaderSource } from './header-source.js';
import { checkNames, VERIFIER_OPTIONS, type VerifierOptions } from './options.js';
import { type Candidate, createReader, type VerifiedDelivery } from './reader.js';
import { type ForSchemes, keysOf, type SchemeKeys } from './schemes.js';
import { checkSecrets, isFramed } from './secrets.js';
import { SignatureError } from './signature-error.js';

/** Compares a MAC with a `v1` value, as whole code units, in a time that does not depend on where they differ. */
type Compare = (mac: string, v1: string) => boolean;

/**
 * The steps of verifying. First call `read`, then make the MACs of the candidate, one for each secret, then call
 * `judge`.
 */
export interface Receiver {
  readonly keys: ForSchemes<SchemeKeys>;
  /** Reads the headers. The body is not read. */
  readonly read: (body: Bytes, headers: HeaderSource) => Candidate;
  /**
   * Compares every MAC with every `v1`, also after a match, so that the time does not depend on which one matches.
   *
   * @throws {@link SignatureError} `signature_mismatch`
   */
  readonly judge: (candidate: Candidate, macs: readonly string[], equals: Compare) => VerifiedDelivery;
}

/** @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option` */
export function createReceiver(options: VerifierOptions): Receiver {
  checkNames('options', options, VERIFIER_OPTIONS);
  const secrets = checkSecrets(options.secrets);
  const keys = keysOf(secrets);
  return {
    keys,
    read: createReader(options),
    judge(candidate, macs, equals) {
      let genuine = false;
      for (const mac of macs) {
        for (const value of candidate.v1) genuine = equals(mac, value) || genuine;
      }
      if (genuine) return candidate.delivery;
      throw new SignatureError(
        'signature_mismatch',
        `no v1 matches the secrets and the raw body; ${hint(candidate, secrets, keys)}`,
      );
    },
  };
}

/** The most likely cause of a mismatch. None of these cases is an error by itself. */
function hint({ body, scheme }: Candidate, secrets: readonly string[], keys: ForSchemes<SchemeKeys>): string {
  if (keys[scheme].keys.length === 0) return 'no secret is whsec_ and the base64 of 24 to 64 bytes';
  if (body.length === 0) return 'the body is empty: was it read before?';
  if (secrets.some(isFramed)) return 'a secret has a line break, blanks or quotes around it';
  return 'was the body parsed, or is the secret wrong?';
}
