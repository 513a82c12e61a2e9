/** Checks secrets. */
import { kindOf, unusable } from './given.js';
import type { SignerOptions } from './options.js';

/** Most secrets on either side, and most `v1` values a receiver looks at. */
export const MAX_SIGNATURES = 16;

/**
 * The secrets as a list of their own.
 *
 * @throws {@link OptionError} `invalid_secret`; the message quotes none.
 */
export function checkSecrets(secrets: SignerOptions['secrets']): readonly string[] {
  const list: readonly unknown[] = [secrets].flat();
  if (list.length > 0 && list.length <= MAX_SIGNATURES) return list.map(checkSecret);
  throw unusable('invalid_secret', 'secrets', `${list.length}`, `1 to ${MAX_SIGNATURES}`);
}

/** Strings made from values that are no text, such as `undefined`. Anybody can guess such a secret. */
const NO_SECRET = /^(|undefined|null|\[object \w+\])$/;

function checkSecret(secret: unknown, nth: number): string {
  if (typeof secret === 'string' && !NO_SECRET.test(secret)) return secret;
  const got = typeof secret === 'string' ? `'${secret}'` : kindOf(secret);
  throw unusable('invalid_secret', `secrets[${nth}]`, got, 'text. Is the environment variable set?');
}

/**
 * True where a secret may have been pasted with more than itself: a line break, blanks or quotes around it. It is used
 * whole, since it may be meant so; a message may mention it when nothing fits.
 */
export const isFramed = (secret: string): boolean => /^[\s"'`]|[\s"'`]$/.test(secret);
