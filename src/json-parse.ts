/** Parses JSON, and tells where a text stops being JSON. Engines of JavaScript tell it each in its own way, or not at all. */
import { HeadgateError, OptionError } from './errors.js';
import { findJsonFault, type JsonFault } from './json-fault.js';

/** A text that is not JSON. The message names the place and what would be JSON there, and quotes nothing of the text. */
export class JsonError extends HeadgateError<'invalid_json'> {
  override readonly name = 'JsonError';
  /** UTF-16 units before the first one that cannot stand where it does; the text's length where it ends too early. */
  readonly position: number;
  /** Line of the position, from 1; `\n`, `\r\n` and `\r` end a line. */
  readonly line: number;
  /** Column of the position in its line, from 1, in UTF-16 units. */
  readonly column: number;

  /**
   * @param message - Sentence for people.
   * @param place - Where the text stops being JSON.
   */
  constructor(message: string, place: Pick<JsonError, 'position' | 'line' | 'column'>) {
    super('invalid_json', message);
    this.position = place.position;
    this.line = place.line;
    this.column = place.column;
  }
}

/**
 * `JSON.parse` with an error that tells the place of the fault, on every engine. Takes text of any depth.
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
 * @throws {@link JsonError} for text that is not JSON, {@link OptionError} `invalid_option` for what is no text.
 */
export function parseJson(text: string): unknown {
  if (typeof text !== 'string') {
    throw new OptionError('invalid_option', `text is of type ${typeof text}: give the text of JSON`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = findJsonFault(text);
    throw fault === null ? error : errorAt(text, fault); // no `cause`: the engine's message quotes the text
  }
}

function errorAt(text: string, { position, expected }: JsonFault): JsonError {
  const lines = text.slice(0, position).split(/\r\n?|\n/);
  const place = { position, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  const where = `line ${place.line}, column ${place.column}`;
  const why =
    position === text.length ? `it ends at ${where}; give ${expected}` : `${where}: give ${expected}`;
  return new JsonError(`this is not JSON: ${why}`, place);
}
