/** The JSON of a file of rules. */
import { JsonError, type LineAndColumn, parseJson } from '../../slim/index.js';
import { withoutPosition } from '../input/events.js';

/** The entries of a file, and its text, in which their positions are found. */
export interface Parsed {
  /** Without a byte order mark; empty if the bytes are not UTF-8. */
  readonly text: string;
  /** None where it is not JSON. */
  readonly entries: readonly unknown[];
  /** Whether the file is an array, and not one rule. */
  readonly isList: boolean;
  /** The position at which it stops being JSON. */
  readonly fault: (LineAndColumn & { readonly message: string }) | null;
}

export function parseFile(bytes: Uint8Array): Parsed {
  const text = decoded(bytes);
  if (text === null) return NOTHING;
  try {
    const value = parseJson(text);
    const isList = Array.isArray(value);
    return { text, entries: isList ? value : [value], isList, fault: null };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const fault = { line: error.line, column: error.column, message: withoutPosition(error) };
    return { text: '', entries: [], isList: false, fault };
  }
}

const NOTHING: Parsed = { text: '', entries: [], isList: false, fault: null };

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
