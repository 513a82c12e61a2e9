/** The options of signers and verifiers. */
import { kindOf, show, unusable } from './given.js';

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
   * The receiver's clock, in Unix seconds, not milliseconds. What is no finite number refuses every delivery.
   *
   * @defaultValue the system's clock, in whole seconds
   */
  readonly now?: () => number;
}

export const SIGNER_OPTIONS: readonly (keyof SignerOptions)[] = ['secrets', 'brand'];
export const VERIFIER_OPTIONS: readonly (keyof VerifierOptions)[] = [
  ...SIGNER_OPTIONS,
  'toleranceSeconds',
  'futureToleranceSeconds',
  'now',
];

/**
 * Holds an object to the names that mean something, so that a misspelled one never goes unnoticed.
 *
 * @throws {@link OptionError} `invalid_option`
 */
export function checkNames(place: string, given: object, known: readonly string[]): void {
  const kind = kindOf(given);
  const unknown = kind === 'Object' ? Object.keys(given).filter((name) => !known.includes(name)) : [kind];
  if (unknown.length === 0) return;
  throw unusable('invalid_option', place, unknown.join(', '), `an object of ${known.join(', ')}`);
}

/** A token of RFC 9110, 5.6.2: what may stand in a header name. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** @throws {@link OptionError} `invalid_brand` for what cannot begin a header name. */
export function checkBrand(brand = 'Svc'): string {
  if (typeof brand === 'string' && TOKEN.test(brand)) return brand;
  throw unusable('invalid_brand', 'brand', kindOf(brand), 'letters, digits and hyphens');
}

/** @throws {@link OptionError} `invalid_option` for what is no number of seconds from 0 to Infinity. */
export function checkSeconds(name: string, seconds: number): void {
  if (typeof seconds === 'number' && seconds >= 0) return;
  throw unusable('invalid_option', name, show(seconds), 'seconds, 0 or more');
}

/** @throws {@link OptionError} `invalid_option` for what cannot be called. */
export function checkClock(now: () => number): void {
  if (typeof now === 'function') return;
  throw unusable('invalid_option', 'now', show(now), 'a function that returns Unix seconds');
}

/** How to make a time; to be read after "give". */
export const UNIX_SECONDS = 'Unix seconds, not milliseconds: Math.floor(Date.now() / 1000)';
