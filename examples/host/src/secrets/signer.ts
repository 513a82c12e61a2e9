/** Signers for the deliveries and tests of an endpoint. */
import { createSigner, type SchemeOption, type Signer } from 'headgate/signing';
import { isStandardSecret } from './signing-secret.js';

/** How an endpoint's deliveries are signed. */
export interface Signing {
  /** Oldest first. */
  readonly secrets: readonly string[];
  readonly signature: SchemeOption;
  /** First part of the names of headers; that of the library unless given. */
  readonly brand?: string | undefined;
}

/**
 * Makes a signer. A secret that Standard Webhooks cannot use signs in the other scheme alone, so `both` always sends at least
 * that signature.
 *
 * @throws OptionError `invalid_secret` if no secret can sign.
 */
export function createSignerFor({ secrets, signature, brand }: Signing): Pick<Signer, 'headers'> {
  const named = brand === undefined ? {} : { brand };
  const standard = signature === 'svc' ? [] : secrets.filter(isStandardSecret);
  if (signature === 'standard_webhooks' || standard.length === secrets.length) {
    return createSigner({ ...named, secrets: standard, scheme: signature });
  }
  const own = createSigner({ ...named, secrets });
  if (standard.length === 0) return own;
  const other = createSigner({ ...named, secrets: standard, scheme: 'standard_webhooks' });
  return { headers: (body, about) => ({ ...own.headers(body, about), ...other.headers(body, about) }) };
}
