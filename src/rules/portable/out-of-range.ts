/**
 * Reads JSON in which some numbers are too large for a double: `JSON.parse` makes Infinity of them, which nobody wrote.
 */
import { isContainer, whyNotJson } from '../../json.js';
import { parseJson } from '../../json-parse.js';
import { JsonTokens } from '../../json-tokens.js';
import type { LineAndColumn } from '../../lines.js';
import type { Location } from '../issues/index.js';

/** A number of an entry that is too large. */
export interface OutOfRange {
  /** From the entry. */
  readonly location: Location;
  readonly message: string;
}

/** A parsed text, and the numbers in it that are too large: the value has the largest double instead. */
export interface ReadJson {
  readonly value: unknown;
  /** By the index of the entry in the file. */
  readonly outOfRange: ReadonlyMap<number, readonly OutOfRange[]>;
}

/** @throws {@link JsonError} for text that is not JSON. */
export function readJson(text: string): ReadJson {
  const value = parseJson(text);
  if (whyNotJson(value) === null) return { value, outOfRange: NONE };
  // A value on its own needs a container too, in which it can be replaced.
  const entries = Array.isArray(value) ? value : [value];
  const outOfRange = replaceInfinite(text, entries, Array.isArray(value));
  return { value: Array.isArray(value) ? value : entries[0], outOfRange };
}

const NONE: ReadJson['outOfRange'] = new Map();

/** A container that is open in the text, beside the one that was parsed of it. */
interface Frame {
  readonly container: Record<string | number, unknown> | null;
  readonly location: Location;
  /** Name of the member, or index of the element, that comes next. */
  key: string | number;
}

/** Walks the text and the value side by side; of a name that comes twice, both have the last value. */
function replaceInfinite(text: string, entries: unknown[], isList: boolean): ReadJson['outOfRange'] {
  const found = new Map<number, OutOfRange[]>();
  const tokens = new JsonTokens(text);
  const root: Frame = { container: entries as unknown as Frame['container'], location: null, key: 0 };
  const frames = [root];
  const locationOf = ({ location, key }: Frame): Location =>
    frames.length === 1 ? null : { parent: location, key: String(key) };
  const replace = (at: Frame): void => {
    const number = at.container?.[at.key];
    if (at.container === null || (number !== Infinity && number !== -Infinity)) return;
    const written = text.slice(tokens.start, tokens.end);
    const message = messageOf(written, tokens.position());
    const entry = Number(root.key);
    const issues = found.get(entry) ?? [];
    found.set(entry, issues);
    issues.push({ location: locationOf(at), message });
    at.container[at.key] = Math.sign(number) * Number.MAX_VALUE;
  };
  if (isList) tokens.next();
  for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
    const frame = frames.at(-1) as Frame;
    if (token === 'name') {
      frame.key = tokens.string();
    } else if (token === '{' || token === '[') {
      const value = frame.container?.[frame.key];
      const container = isContainer(value) ? (value as Frame['container']) : null;
      frames.push({ container, location: locationOf(frame), key: token === '[' ? 0 : '' });
    } else {
      if (token === '}' || token === ']') frames.pop();
      else if (token === 'number') replace(frame);
      const around = frames.at(-1);
      if (typeof around?.key === 'number') around.key++;
    }
  }
  return found;
}

/** UTF-16 units of a number in a message. */
const SHOWN = 40;

function messageOf(written: string, { line, column }: LineAndColumn): string {
  const shown = written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written;
  const range = `numbers go from -${Number.MAX_VALUE} to ${Number.MAX_VALUE}`;
  return `${shown} is out of range (line ${line}, column ${column}): ${range}; write a smaller one, or text`;
}
