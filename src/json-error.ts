/** The error for text that is not JSON, with the position of the fault. */
import { HeadgateError } from './errors.js';
import { LineCounter } from './lines.js';

/**
 * A text that is not JSON. The message names the position and what would be JSON there, and quotes nothing of the text.
 */
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
   * @param fault - The position at which the text stops being JSON.
   */
  constructor(message: string, fault: Pick<JsonError, 'position' | 'line' | 'column'>) {
    super('invalid_json', message);
    this.position = fault.position;
    this.line = fault.line;
    this.column = fault.column;
  }
}

/**
 * Says where a text stops being JSON.
 *
 * @param expected - A token or character that would be valid there, such as `a digit`.
 */
export function jsonErrorAt(text: string, position: number, expected: string): JsonError {
  const { line, column } = new LineCounter(text).at(position);
  const where = `line ${line}, column ${column}`;
  const why =
    position === text.length ? `it ends at ${where}; give ${expected}` : `${where}: give ${expected}`;
  return new JsonError(`this is not JSON: ${why}`, { position, line, column });
}
