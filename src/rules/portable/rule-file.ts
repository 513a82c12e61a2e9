/** Reads a file of rules, as text, as bytes or already parsed. */
import { isObject } from '../../json.js';
import type { JsonError } from '../../json-error.js';
import { utf8Length } from '../../unicode.js';
import { type RuleIssue, type RuleIssueCode, show } from '../issues/index.js';
import { readJson, type ReadJson } from './out-of-range.js';

/** UTF-8 bytes of a file. */
export const MAX_FILE_BYTES = 10 * 1_024 * 1_024;

/** Entries that such a file can hold: each takes a byte, and one for its comma. */
const MAX_ENTRIES = MAX_FILE_BYTES / 2;

/**
 * The entries of a file, or the problem of the file as a whole.
 *
 * @param isForeign - Whether it is of another system, whose entries may have any members.
 */
export function readEntries(input: unknown, isForeign: boolean): RuleFile | RuleIssue {
  const parsed = parse(input);
  return 'code' in parsed ? parsed : entriesIn(parsed, isForeign);
}

/** The entries of a file. */
export interface RuleFile {
  readonly entries: readonly unknown[];
  /** Numbers of the text that are too large, by the index of their entry. */
  readonly outOfRange: ReadJson['outOfRange'];
}

function entriesIn({ value, outOfRange }: ReadJson, isForeign: boolean): RuleFile | RuleIssue {
  if (Array.isArray(value)) {
    return value.length > MAX_ENTRIES ? TOO_LARGE : { entries: value, outOfRange };
  }
  if (!isObject(value)) return invalidFile('');
  if (!isForeign && Array.isArray(value.rules)) {
    return fileIssue('invalid_file', 'this object keeps its rules under "rules"; import that array');
  }
  if (show(value) !== 'an object') return invalidFile(`; this is ${show(value)}${cureOf(value)}`);
  if (!isForeign && typeof value.length === 'number') {
    return invalidFile('; this is only like an array: use Array.from');
  }
  return { entries: [value], outOfRange };
}

/** Advice on an object that was passed instead of the JSON that it will give. */
const cureOf = (value: Readonly<Record<string, unknown>>): string =>
  typeof value.then === 'function'
    ? ': await it'
    : typeof value.text === 'function'
      ? ': await its text()'
      : '';

function parse(input: unknown): ReadJson | RuleIssue {
  if (typeof input === 'string') return utf8Length(input) > MAX_FILE_BYTES ? TOO_LARGE : parseText(input);
  const bytes = bytesOf(input);
  if (bytes === null) return { value: input, outOfRange: new Map() };
  return bytes.length > MAX_FILE_BYTES ? TOO_LARGE : parseBytes(bytes);
}

function parseText(text: string): ReadJson | RuleIssue {
  try {
    return readJson(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return fileIssue('invalid_json', (error as JsonError).message);
  }
}

function parseBytes(bytes: Uint8Array): ReadJson | RuleIssue {
  // JSON begins with ASCII, and in UTF-16 one of its two bytes is 0; a byte order mark begins with FE or FF.
  const [first = 0x20, second = 0x20] = bytes;
  if (first === 0 || second === 0 || first >= 0xfe) return notJson('it is UTF-16; save the file as UTF-8');
  try {
    return parseText(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return notJson('these bytes are not UTF-8; save the file as UTF-8');
  }
}

/** The bytes of a Buffer, another view or an ArrayBuffer, of this realm or another. */
function bytesOf(input: unknown): Uint8Array | null {
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  return show(input) === 'an ArrayBuffer' ? new Uint8Array(input as ArrayBuffer) : null;
}

const fileIssue = (code: RuleIssueCode, message: string): RuleIssue =>
  Object.freeze({ code, pointer: '', message });

const TOO_LARGE = fileIssue(
  'file_too_large',
  'a file of rules may have 10 MiB; split it and import the parts',
);

const notJson = (why: string): RuleIssue => fileIssue('invalid_json', `this is not JSON: ${why}`);

const invalidFile = (instead: string): RuleIssue =>
  fileIssue('invalid_file', `a file of rules holds one rule object or an array of them${instead}`);
