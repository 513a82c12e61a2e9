/** Error messages about arguments. They name the type of a value and never quote it: it may be a secret or a body. */
import { OptionError, type OptionErrorCode } from '../errors.js';

/** The type of a value for messages, such as `Object`, `Map` or `undefined`. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** The same, but the value of a number: times and durations are not secret. */
export const show = (value: unknown): string => (typeof value === 'number' ? String(value) : kindOf(value));

/**
 * The error for an argument that cannot be used.
 *
 * @param name - Name of the option or argument.
 * @param got - The type of the value; not the value itself, which may be a secret or a body.
 * @param cure - The end of the message, after "give".
 */
export const unusable = (code: OptionErrorCode, name: string, got: string, cure: string): OptionError =>
  new OptionError(code, `${name}: got ${got}; give ${cure}`);
