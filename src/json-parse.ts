/**
 * Parses JSON, and reports where a text stops being JSON. Each JavaScript engine reports it in its own way, or not at
 * all.
 */
import { OptionError } from './errors.js';
import { JsonTokens } from './json-tokens.js';

/**
 * `JSON.parse` with an error that tells the position of the fault, on every engine. Takes text of any depth.
 *
 * @example
 * ```ts
 * import { JsonError, parseJson } from 'headgate';
 *
 * try {
 *   parseJson('{\n  "amount": 7,\n}');
 * } catch (error) {
 *   if (!(error instanceof JsonError)) throw error;
 *   console.log(error.line, error.column); // 3 1
 *   console.log(error.message); // this is not JSON: line 3, column 1: give a name in double quotes
 * }
 * ```
 * @param text - Without a byte order mark.
 * @returns Any JSON value; nothing is known of its shape.
 * @throws {@link JsonError} for text that is not JSON, {@link OptionError} `invalid_option` for anything but a string.
 */
export function parseJson(text: string): unknown {
  if (typeof text !== 'string') {
    throw new OptionError('invalid_option', `text is of type ${typeof text}: give the text of JSON`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const tokens = new JsonTokens(text);
    while (tokens.next() !== 'end'); // throws the JsonError, without `cause`: the engine's message quotes the text
    throw error;
  }
}
