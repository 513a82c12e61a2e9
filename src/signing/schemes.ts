/** The two schemes: their keys, and the form of their MACs. */
import { kindOf, unusable } from './given.js';

/**
 * How a delivery is signed: `svc` in Stripe's way, with the whole text of the secret; `standard_webhooks` as
 * [Standard Webhooks 1.0](https://www.standardwebhooks.com) says, with the bytes that the text encodes.
 */
export type Scheme = 'svc' | 'standard_webhooks';

/** The values of a sender's option: one scheme, or the headers of both. */
export type SchemeOption = Scheme | 'both';

/** The keys of a scheme, one for each secret, and how its MACs are written. */
export interface SchemeKeys {
  readonly keys: readonly Uint8Array<ArrayBuffer>[];
  readonly encoding: 'hex' | 'base64';
}

/** Something for each scheme. */
export type ForSchemes<T> = Readonly<Record<Scheme, T>>;

const UTF8 = new TextEncoder();

/** `whsec_` and base64, with its padding. */
const STANDARD_SECRET = /^(?:whsec_)?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
/** Bounds of the specification, in bytes. */
const KEY_BYTES = [24, 64] as const;

/** The bytes that a secret encodes; null if Standard Webhooks cannot use it. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> | null {
  const [, text] = STANDARD_SECRET.exec(secret) ?? [];
  if (text === undefined) return null;
  const key = Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
  return key.length >= KEY_BYTES[0] && key.length <= KEY_BYTES[1] ? key : null;
}

/** The keys of some secrets. A secret that Standard Webhooks cannot use has no key there. */
export const keysOf = (secrets: readonly string[]): ForSchemes<SchemeKeys> => ({
  svc: { keys: secrets.map((secret) => UTF8.encode(secret)), encoding: 'hex' },
  standard_webhooks: {
    keys: secrets.map(standardKey).filter((key) => key !== null),
    encoding: 'base64',
  },
});

const SCHEMES: readonly unknown[] = ['svc', 'standard_webhooks', 'both'] satisfies SchemeOption[];

/**
 * Checks a sender's scheme, and that it can use every secret.
 *
 * @throws {@link OptionError} `invalid_option`, `invalid_secret`; no message quotes a secret.
 */
export function checkScheme(scheme: unknown, secrets: readonly string[]): SchemeOption {
  if (scheme === undefined) return 'svc';
  if (!SCHEMES.includes(scheme)) {
    throw unusable('invalid_option', 'scheme', kindOf(scheme), "'svc', 'standard_webhooks' or 'both'");
  }
  const useless = scheme === 'svc' ? -1 : secrets.findIndex((secret) => standardKey(secret) === null);
  if (useless < 0) return scheme as SchemeOption;
  throw unusable(
    'invalid_secret',
    `secrets[${useless}]`,
    'a text that Standard Webhooks cannot use',
    'whsec_ and the base64 of 24 to 64 bytes, or another scheme',
  );
}
