/** Receiving a delivery: every decision besides the computation of MACs. */
import type { Bytes } from './body.js';
import type { HeaderSource } from './header-source.js';
import { checkNames, VERIFIER_OPTIONS, type VerifierOptions } from './options.js';
import { type Candidate, createReader, type VerifiedDelivery } from './reader.js';
import { checkSecrets, isFramed } from './secrets.js';
import { SignatureError } from './signature-error.js';

/** Compares a MAC with a `v1` value, every digit whole, in a time that does not tell where they differ. */
type Compare = (mac: string, v1: string) => boolean;

/**
 * Everything about verifying but how a MAC is made and compared, so that node and web cannot differ in it. First
 * `read`, then the MACs of the candidate, one for each secret, then `judge`.
 */
export interface Receiver {
  readonly secrets: readonly string[];
  /** Reads all of the headers, and none of the body. */
  readonly read: (body: Bytes, headers: HeaderSource) => Candidate;
  /**
   * Compares every MAC with every `v1`, also after a match, so that the time taken does not tell which one it was.
   *
   * @throws {@link SignatureError} `signature_mismatch`
   */
  readonly judge: (candidate: Candidate, macs: readonly string[], equals: Compare) => VerifiedDelivery;
}

/** @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option` */
export function createReceiver(options: VerifierOptions): Receiver {
  checkNames('options', options, VERIFIER_OPTIONS);
  const secrets = checkSecrets(options.secrets);
  return {
    secrets,
    read: createReader(options),
    judge(candidate, macs, equals) {
      let genuine = false;
      for (const mac of macs) {
        for (const value of candidate.v1) genuine = equals(mac, value) || genuine;
      }
      if (genuine) return candidate.delivery;
      throw new SignatureError(
        'signature_mismatch',
        `no v1 fits secret and raw body; ${hint(candidate, secrets)}`,
      );
    },
  };
}

/** The most likely cause of a mismatch. Checked only after one, since each case may be intended. */
function hint({ body }: Candidate, secrets: readonly string[]): string {
  if (body.length === 0) return 'the body is empty: was it read before?';
  if (secrets.some(isFramed)) return 'a secret has a line break, blanks or quotes around it';
  return 'was it parsed, or is the secret another one?';
}
