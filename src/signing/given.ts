/** Describes arguments in messages. */
import { OptionError, type OptionErrorCode } from '../errors.js';

/** How messages call a value that cannot be used. They name its kind, since its content may be a secret or a body. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** The same, but numbers as they are: no time and no duration is a secret. */
export const show = (value: unknown): string => (typeof value === 'number' ? String(value) : kindOf(value));

/**
 * Something that was handed in and cannot be used.
 *
 * @param place - Option or argument.
 * @param got - Its kind; never its content, where that may be a secret or a body.
 * @param cure - To be read after "give".
 */
export const unusable = (code: OptionErrorCode, place: string, got: string, cure: string): OptionError =>
  new OptionError(code, `${place}: got ${got}; give ${cure}`);
