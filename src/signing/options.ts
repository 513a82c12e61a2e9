/** The options of signers and verifiers, and their checks. */
import { kindOf, show, unusable } from './given.js';
import type { SchemeOption } from './schemes.js';

/** Options of signers and of verifiers. */
interface SharedOptions {
  /**
   * The signing secret, or several during a rotation, oldest first; 1 to 16. The whole of each is used as UTF-8, with
   * its prefix; a lone surrogate counts as U+FFFD. For Standard Webhooks it is `whsec_` and base64, whose bytes are
   * used.
   */
  readonly secrets: string | readonly string[];
  /**
   * First part of the header names, and, in lower case, of the User-Agent.
   *
   * @defaultValue `'Svc'`
   */
  readonly brand?: string;
}

/** Options of signers. */
export interface SignerOptions extends SharedOptions {
  /**
   * The signature to send: `'svc'`, `'standard_webhooks'`, or `'both'`. Verifiers accept either.
   *
   * @defaultValue `'svc'`
   */
  readonly scheme?: SchemeOption;
}

/** Options of verifiers. */
export interface VerifierOptions extends SharedOptions {
  /**
   * Greatest age of a delivery, in seconds, included. `Infinity` turns replay protection off.
   *
   * @defaultValue `300`
   */
  readonly toleranceSeconds?: number;
  /**
   * How far a timestamp may be ahead of the receiver's clock, in seconds.
   *
   * @defaultValue `Infinity`
   */
  readonly futureToleranceSeconds?: number;
  /**
   * The receiver's clock, in Unix seconds, not milliseconds. While it does not return a finite number, every delivery
   * is refused.
   *
   * @defaultValue the system's clock, in whole seconds
   */
  readonly now?: () => number;
}

const SHARED_OPTIONS: readonly (keyof SharedOptions)[] = ['secrets', 'brand'];
export const SIGNER_OPTIONS: readonly (keyof SignerOptions)[] = [...SHARED_OPTIONS, 'scheme'];
export const VERIFIER_OPTIONS: readonly (keyof VerifierOptions)[] = [
  ...SHARED_OPTIONS,
  'toleranceSeconds',
  'futureToleranceSeconds',
  'now',
];

/**
 * Refuses objects with unknown names, so that a misspelled option is noticed.
 *
 * @throws {@link OptionError} `invalid_option`
 */
export function checkNames(name: string, given: object, known: readonly string[]): void {
  const kind = kindOf(given);
  const unknown = kind === 'Object' ? Object.keys(given).filter((key) => !known.includes(key)) : [kind];
  if (unknown.length === 0) return;
  throw unusable('invalid_option', name, unknown.join(', '), `an object of ${known.join(', ')}`);
}

/** A token of RFC 9110, 5.6.2, as header names are made of. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** @throws {@link OptionError} `invalid_brand` for text that cannot begin a header name. */
export function checkBrand(brand = 'Svc'): string {
  if (typeof brand === 'string' && TOKEN.test(brand)) return brand;
  throw unusable('invalid_brand', 'brand', kindOf(brand), 'letters, digits and hyphens');
}

/** @throws {@link OptionError} `invalid_option` unless it is a number from 0 to Infinity. */
export function checkSeconds(name: string, seconds: number): void {
  if (typeof seconds === 'number' && seconds >= 0) return;
  throw unusable('invalid_option', name, show(seconds), 'seconds, 0 or more');
}

/** @throws {@link OptionError} `invalid_option` unless it is a function. */
export function checkClock(now: () => number): void {
  if (typeof now === 'function') return;
  throw unusable('invalid_option', 'now', show(now), 'a function that returns Unix seconds');
}

/** The end of messages about times, after "give". */
export const UNIX_SECONDS = 'Unix seconds, not milliseconds: Math.floor(Date.now() / 1000)';
