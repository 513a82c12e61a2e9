/** Reads events one at a time: of one document, of an array, or one a line. */
import { JsonError, parseJson } from '../../slim/index.js';
import { lineSplitter, type Piece, type Splitter, valueSplitter } from './splitter.js';

/** Something in the input, and where it begins. */
export type Found = FoundEvent | FoundProblem;

interface FoundEvent {
  readonly event: Readonly<Record<string, unknown>>;
  readonly line: number;
  readonly column: number;
}

/** Something in the input that is not an event. */
export interface FoundProblem {
  readonly event: null;
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/**
 * The events of an input, in its order. With one event per line, a line that is not an event is a problem, and the next
 * one is read. Otherwise the first problem is the end.
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Found> {
  const { lines, rest } = await opened(textOf(chunks));
  const splitter: Splitter = lines ? lineSplitter() : valueSplitter();
  for await (const text of rest) {
    if (typeof text !== 'string') {
      yield text;
      return;
    }
    for (const piece of splitter.feed(text)) {
      const found = read(piece);
      yield found;
      if (!lines && found.event === null) return;
    }
  }
  for (const piece of splitter.end()) {
    const found = read(piece);
    yield found;
    if (found.event === null) return;
  }
}

/** The text of bytes, without a byte order mark; a problem where they are not UTF-8. */
async function* textOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | FoundProblem> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let last: Uint8Array = new Uint8Array();
  try {
    for await (const chunk of chunks) {
      last = chunk;
      const text = decoder.decode(chunk, { stream: true });
      yield text;
      line += text.split('\n').length - 1;
    }
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    const [before = ''] = new TextDecoder().decode(last).split('\ufffd', 1);
    const at = { line: line + before.split('\n').length - 1, column: 1 };
    yield { event: null, ...at, problem: 'this line is not UTF-8: save the input as UTF-8' };
  }
}

/** UTF-16 units of a first line that is looked at. */
const MAX_FIRST_LINE = 33_554_432;

/** Reads the first line that is not empty, to tell one event a line from a document over several. */
async function opened(
  texts: AsyncGenerator<string | FoundProblem>,
): Promise<{ readonly lines: boolean; readonly rest: AsyncIterable<string | FoundProblem> }> {
  const read: (string | FoundProblem)[] = [];
  const first: string[] = [];
  let units = 0;
  for (let next = await texts.next(); next.done !== true; next = await texts.next()) {
    const { value } = next;
    read.push(value);
    if (typeof value !== 'string') break;
    const text = units === 0 ? value.trimStart() : value;
    first.push(text);
    units += text.length;
    if (first[0]?.startsWith('[') === true || text.includes('\n') || units > MAX_FIRST_LINE) break;
    if (units === 0) first.length = 0;
  }
  const [line = ''] = first.join('').split('\n', 1);
  return { lines: isObjectText(line), rest: chain(read, texts) };
}

async function* chain<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

function isObjectText(line: string): boolean {
  try {
    return line.startsWith('{') && typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}

function read({ text, line, column, isTooLong }: Piece): Found {
  const problemAt = (at: { readonly line: number; readonly column: number }, problem: string): Found => ({
    event: null,
    ...at,
    problem,
  });
  if (isTooLong === true) return problemAt({ line, column }, 'this event has more than 32 MiB: no event may');
  if (text === '') return problemAt({ line, column }, 'this is not JSON: give a value before this');
  try {
    const event = parseJson(text);
    return isRecord(event)
      ? { event, line, column }
      : problemAt({ line, column }, 'this is not an event: give a JSON object');
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const isFirst = error.line === 1;
    const at = { line: line + error.line - 1, column: error.column + (isFirst ? column - 1 : 0) };
    return problemAt(at, withoutPosition(error));
  }
}

/** The message of an error whose position is printed beside it. */
export const withoutPosition = ({ message }: JsonError): string =>
  message
    .replace(/line \d+, column \d+: /, '')
    .replace(/it ends at line \d+, column \d+; /, 'it ends too early; ');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
