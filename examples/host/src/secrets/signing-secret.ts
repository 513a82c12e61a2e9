/** Signing secrets. */
import { randomBytes } from 'node:crypto';
import { createSigner } from 'headgate/signing';
import type { Random } from '../ids.js';

/**
 * A new signing secret: `whsec_` and the base64 of 32 random bytes. Bytes are drawn until their base64 has only
 * letters, digits and the padding, so that nothing that quotes or escapes the text can change it. This takes about four
 * draws, and costs two of the 256 bits.
 */
export function newSigningSecret(random: Random = randomBytes): string {
  for (;;) {
    const text = Buffer.from(random(32)).toString('base64');
    if (/^[\dA-Za-z]+=$/.test(text)) return `whsec_${text}`;
  }
}

/** Whether Standard Webhooks can use a secret. It cannot use those that earlier versions of the service drew. */
export function isStandardSecret(secret: string): boolean {
  try {
    createSigner({ secrets: secret, scheme: 'standard_webhooks' });
    return true;
  } catch {
    return false;
  }
}
