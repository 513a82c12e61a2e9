/** Reads JSON in which some numbers are too large for a double: `JSON.parse` makes Infinity of them, which nobody wrote. */
import { isContainer, whyNotJson } from '../../json.js';
import { parseJson } from '../../json-parse.js';
import type { Place } from '../issues/index.js';

/** A number of an entry that is too large. */
export interface OutOfRange {
  /** From the entry. */
  readonly place: Place;
  readonly message: string;
}

/** A parsed text, and the numbers in it that are too large: the value has the largest double in their place. */
export interface ReadJson {
  readonly value: unknown;
  /** By the index of the entry in the file. */
  readonly outOfRange: ReadonlyMap<number, readonly OutOfRange[]>;
}

/** @throws {@link JsonError} for text that is not JSON. */
export function readJson(text: string): ReadJson {
  const value = parseJson(text);
  if (whyNotJson(value) === null) return { value, outOfRange: NONE };
  const numbers = numbersOutOfRange(text);
  const mark = unusedMark(text);
  const marked = parseJson(withMarks(text, numbers, mark));
  return replaceMarks(marked, numbers, parseJson(`"${mark}"`) as string);
}

const NONE: ReadJson['outOfRange'] = new Map();

/** A number as it is written. */
interface WrittenNumber {
  readonly text: string;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

const QUOTE_OR_NUMBER = /"|-?\d[\d.eE+-]*/g;
const LINE_END = /\r\n?|\n/g;

/** The numbers of a JSON text that are too large, in the order of the text. */
function numbersOutOfRange(text: string): readonly WrittenNumber[] {
  const numbers: WrittenNumber[] = [];
  let [line, lineStart, counted] = [1, 0, 0];
  QUOTE_OR_NUMBER.lastIndex = 0;
  for (let found = QUOTE_OR_NUMBER.exec(text); found !== null; found = QUOTE_OR_NUMBER.exec(text)) {
    const [token] = found;
    const at = found.index;
    if (token === '"') {
      QUOTE_OR_NUMBER.lastIndex = endOfString(text, at);
    } else if (!Number.isFinite(Number(token))) {
      for (const end of text.slice(counted, at).matchAll(LINE_END)) {
        line++;
        lineStart = counted + end.index + end[0].length;
      }
      counted = at;
      numbers.push({ text: token, at, line, column: at - lineStart + 1 });
    }
  }
  return numbers;
}

/** The index after the quote that ends a string. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** An escape sequence that the text does not have. JSON has one way only to write it. */
function unusedMark(text: string): string {
  let mark = '\\u0000';
  while (text.includes(mark)) mark += mark;
  return mark;
}

/** The text with a string in the place of each number: the mark, and which number it is. */
function withMarks(text: string, numbers: readonly WrittenNumber[], mark: string): string {
  let from = 0;
  const parts = numbers.map(({ text: written, at }, nth) => {
    const part = `${text.slice(from, at)}"${mark}${nth}"`;
    from = at + written.length;
    return part;
  });
  return parts.join('') + text.slice(from);
}

/** Replaces the marks in a value, which nobody else holds, by the largest double, and says where they are. */
function replaceMarks(value: unknown, numbers: readonly WrittenNumber[], mark: string): ReadJson {
  const found = new Map<number, OutOfRange[]>();
  const isList = Array.isArray(value);
  const root = (isList ? value : [value]) as unknown as Container;
  const pending: Visit[] = [];
  const visit = (container: Container, key: string, place: Place, entry: number): void => {
    const member = container[key];
    if (isContainer(member)) pending.push({ container: member, place, entry });
    if (typeof member !== 'string' || !member.startsWith(mark)) return;
    const number = numbers[Number(member.slice(mark.length))] as WrittenNumber;
    const issues = found.get(entry) ?? [];
    found.set(entry, issues);
    issues.push({ place, message: messageOf(number) });
    container[key] = number.text.startsWith('-') ? -Number.MAX_VALUE : Number.MAX_VALUE;
  };
  for (const key of Object.keys(root)) visit(root, key, null, Number(key));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { container, place, entry } = next;
    for (const key of Object.keys(container)) visit(container, key, { parent: place, key }, entry);
  }
  return { value: isList ? value : root[0], outOfRange: found };
}

type Container = Record<string, unknown>;

/** A container whose members are still to be looked at. */
interface Visit {
  readonly container: Container;
  readonly place: Place;
  readonly entry: number;
}

/** UTF-16 units of a number in a message. */
const SHOWN = 40;

function messageOf({ text, line, column }: WrittenNumber): string {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  const range = `numbers go from -${Number.MAX_VALUE} to ${Number.MAX_VALUE}`;
  return `${shown} is out of range (line ${line}, column ${column}): ${range}; write a smaller one, or text`;
}
