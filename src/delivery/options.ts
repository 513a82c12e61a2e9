/** Refuses, before anything runs, what no option can be. No message quotes a value that may hold a password. */
import { OptionError } from '../errors.js';

/** @throws {@link OptionError} `invalid_option`, always. */
export function refuse(message: string): never {
  throw new OptionError('invalid_option', message);
}

/** What a value is, in words that quote nothing of it but numbers. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise, perhaps for want of an await';
  if (typeof value === 'number') return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * Refuses what is no object of options, and options that are not known, all of them at once.
 *
 * @param taker - Whose options they are, such as `createScheduler`.
 * @param given - What the host handed in.
 * @param known - Every option that there is.
 * @throws {@link OptionError} `invalid_option`, naming every option that there is.
 */
export function assertOptions(taker: string, given: unknown, known: readonly string[]): void {
  const list = known.join(', ');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    refuse(`${taker} takes one object of options (${list}), not ${kindOf(given)}`);
  }
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  if (unknown.length > 0) refuse(`${taker} has no option ${unknown.join(', ')}: give some of ${list}`);
}

/**
 * Refuses a part that lacks a method.
 *
 * @param option - Its name.
 * @param part - What was given for it.
 * @param methods - What is called of it.
 * @param instead - What to give.
 * @throws {@link OptionError} `invalid_option`.
 */
export function assertPart(option: string, part: unknown, methods: readonly string[], instead: string): void {
  const isWhole = hasMethods(part, methods);
  if (isWhole) return;
  const lack =
    typeof part === 'object' && part !== null ? `lacks ${methods.join('() or ')}()` : `is ${kindOf(part)}`;
  refuse(`${option} ${lack}: give ${instead}`);
}

function hasMethods(part: unknown, methods: readonly string[]): boolean {
  if ((typeof part !== 'object' && typeof part !== 'function') || part === null) return false;
  const members = part as Readonly<Record<string, unknown>>;
  return methods.every((method) => typeof members[method] === 'function');
}

/**
 * Refuses what is no function.
 *
 * @param option - Its name.
 * @param given - What was given for it.
 * @param instead - What to give.
 * @throws {@link OptionError} `invalid_option`.
 */
export function assertFunction(option: string, given: unknown, instead: string): void {
  if (typeof given !== 'function') refuse(`${option} is ${kindOf(given)}: give ${instead}`);
}

/**
 * Refuses what is no instant.
 *
 * @param option - Its name.
 * @param at - Unix ms.
 * @throws {@link OptionError} `invalid_option`.
 */
export function assertInstant(option: string, at: unknown): void {
  if (!Number.isSafeInteger(at))
    refuse(`${option} is ${kindOf(at)}: give whole Unix milliseconds, such as Date.now()`);
}

/**
 * Refuses what is no text.
 *
 * @param what - What it should be.
 * @param text - What was given for it.
 * @throws {@link OptionError} `invalid_option`.
 */
export function assertText(what: string, text: unknown): void {
  if (typeof text !== 'string') refuse(`${what} is ${kindOf(text)}: give a text`);
}
