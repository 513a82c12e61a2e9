import { OptionError } from '../errors.js';

/** What signing and verifying have in common. */
export interface SignerOptions {
  /**
   * The signing secret, or several while one is rotated, oldest first; 1 to 16. Each is used whole, as its UTF-8
   * bytes (a lone surrogate counts as U+FFFD), prefix included.
   */
  readonly secrets: string | readonly string[];
  /**
   * First part of the header names, and in lower case of the User-Agent.
   *
   * @defaultValue `'Svc'`
   */
  readonly brand?: string;
}

/** How a receiver verifies. */
export interface VerifierOptions extends SignerOptions {
  /**
   * Greatest age of a delivery, in seconds; exactly this old still passes. `Infinity` turns replay protection off.
   *
   * @defaultValue `300`
   */
  readonly toleranceSeconds?: number;
  /**
   * How far, in seconds, a timestamp may lie ahead of the receiver's clock.
   *
   * @defaultValue `Infinity`
   */
  readonly futureToleranceSeconds?: number;
  /**
   * The receiver's clock, in Unix seconds.
   *
   * @defaultValue the system's clock, in whole seconds
   */
  readonly now?: () => number;
}

/** Most secrets on either side, and most `v1` values a receiver looks at. */
export const MAX_SIGNATURES = 16;

/** A token of RFC 9110, 5.6.2: what may stand in a header name. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * The secrets as a list of their own.
 *
 * @throws {@link OptionError} `invalid_secret`; the message quotes none.
 */
export function checkSecrets(secrets: SignerOptions['secrets']): readonly string[] {
  const list: readonly unknown[] = [secrets].flat();
  if (list.length > 0 && list.length <= MAX_SIGNATURES && list.every(isSecret)) return list;
  throw new OptionError('invalid_secret', `secrets: 1 to ${MAX_SIGNATURES} strings, none empty`);
}

const isSecret = (secret: unknown): secret is string => typeof secret === 'string' && secret !== '';

/** @throws {@link OptionError} `invalid_brand` for what cannot begin a header name. */
export function checkBrand(brand = 'Svc'): string {
  if (typeof brand === 'string' && TOKEN.test(brand)) return brand;
  throw new OptionError('invalid_brand', 'brand: no start of a header name');
}

/** @throws {@link OptionError} `invalid_option` for what is no number of seconds from 0 to Infinity. */
export function checkSeconds(tolerance: number): void {
  if (typeof tolerance === 'number' && tolerance >= 0) return;
  throw new OptionError('invalid_option', 'tolerance: seconds, at least 0');
}
