/** Checks of secrets. */
import { kindOf, unusable } from './given.js';
import type { SignerOptions } from './options.js';

/** Most secrets on either side, and most `v1` values that a receiver compares. */
export const MAX_SIGNATURES = 16;

/**
 * The secrets as a new list.
 *
 * @throws {@link OptionError} `invalid_secret`; the message quotes no secret.
 */
export function checkSecrets(secrets: SignerOptions['secrets']): readonly string[] {
  const list: readonly unknown[] = [secrets].flat();
  if (list.length > 0 && list.length <= MAX_SIGNATURES) return list.map(checkSecret);
  throw unusable('invalid_secret', 'secrets', `${list.length}`, `1 to ${MAX_SIGNATURES}`);
}

/** Strings made from other values, such as `undefined`. An attacker can guess such a secret. */
const NO_SECRET = /^(|undefined|null|\[object \w+\])$/;

function checkSecret(secret: unknown, nth: number): string {
  if (typeof secret === 'string' && !NO_SECRET.test(secret)) return secret;
  const got = typeof secret === 'string' ? `'${secret}'` : kindOf(secret);
  throw unusable('invalid_secret', `secrets[${nth}]`, got, 'text. Is the environment variable set?');
}

/**
 * True if a secret may have been pasted with a line break, blanks or quotes around it. They may be intended, so the
 * secret is used as it is; a message mentions them only after a mismatch.
 */
export const isFramed = (secret: string): boolean => /^[\s"'`]|[\s"'`]$/.test(secret);
