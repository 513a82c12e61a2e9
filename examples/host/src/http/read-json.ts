/** Reads JSON that somebody sent, without making the value: deep text would take a hundred times its bytes. */
import { JsonError, JsonTokens } from 'headgate';

/** A JSON text that was read. */
export interface ReadJson {
  /**
   * The text with each name once in its object, as it was written otherwise. Parsers differ in which value of a
   * repeated name they take; here, as in `JSON.parse`, it is the last.
   */
  readonly text: string;
  readonly hasRepeatedNames: boolean;
  /**
   * Names, values and brackets. The time to read, parse and match a text grows with these as much as with its length.
   */
  readonly tokens: number;
}

/** An object that is open. Most have few members, and the first needs no map. */
interface OpenObject {
  first: string | null;
  /** Each name of several, with the number of its last member. */
  names: Map<string, number> | null;
  /** The start of each member, in UTF-16 units. */
  readonly starts: number[];
  /** The members that a later one replaces, by number. */
  replaced: number[] | null;
}

/**
 * Reads a text as JSON of RFC 8259, in which all numbers are finite as a double. Takes linear time at any depth.
 *
 * @throws JsonError, which quotes nothing of the text.
 */
export function readJson(text: string): ReadJson {
  const tokens = new JsonTokens(text);
  const open: (OpenObject | null)[] = [];
  const cuts: Cut[] = [];
  let count = 0;
  for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
    count++;
    switch (token) {
      case '{':
        open.push({ first: null, names: null, starts: [], replaced: null });
        break;
      case '[':
        open.push(null);
        break;
      case '}':
      case ']':
        addCuts(cuts, open.pop() ?? null);
        break;
      case 'name':
        addMember(open.at(-1) as OpenObject, tokens.string(), tokens.start);
        break;
      case 'number':
        assertFinite(text, tokens);
    }
  }
  return { text: without(text, cuts), hasRepeatedNames: cuts.length > 0, tokens: count };
}

function addMember(object: OpenObject, name: string, start: number): void {
  const number = object.starts.push(start) - 1;
  if (object.first === null) {
    object.first = name;
    return;
  }
  const names = (object.names ??= new Map([[object.first, 0]]));
  const before = names.get(name);
  if (before !== undefined) (object.replaced ??= []).push(before);
  names.set(name, number);
}

/** A part of a text that is left out, in UTF-16 units. */
type Cut = readonly [start: number, end: number];

/** Each replaced member ends where the next one starts. */
function addCuts(cuts: Cut[], object: OpenObject | null): void {
  for (const number of object?.replaced ?? []) {
    cuts.push([object?.starts[number] ?? 0, object?.starts[number + 1] ?? 0]);
  }
}

function without(text: string, cuts: Cut[]): string {
  if (cuts.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of cuts.sort(([a], [b]) => a - b)) {
    // A cut may be within one before it.
    if (end <= from) continue;
    parts.push(text.slice(from, start));
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** A number without exponent and with fewer characters is finite. */
const MAX_FINITE_LENGTH = 300;

function assertFinite(text: string, tokens: JsonTokens): void {
  if (tokens.isPlain && tokens.end - tokens.start <= MAX_FINITE_LENGTH) return;
  if (Number.isFinite(Number(text.slice(tokens.start, tokens.end)))) return;
  const position = tokens.position();
  const where = `line ${position.line}, column ${position.column}`;
  throw new JsonError(`this is not JSON: ${where}: a number is beyond 1.8e308`, {
    position: tokens.start,
    ...position,
  });
}
