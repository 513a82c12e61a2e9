/** Character classes in brackets: parsing, weight and printing. */
import { complement, union, type CodePoints } from './code-points.js';
import { posixClasses } from './class-names.js';
import { foldCase, membersOf, readEscape, readNamedClass, type NamedClass } from './escapes.js';
import type { Reader } from './reader.js';
import type { CharacterClass } from './tree.js';

/** A look-up takes ten comparisons in a table of some hundred ranges; in re2-wasm, 60 such classes fill the heap. */
const PROPERTY_WEIGHT = 20;

/**
 * A class, with its weight.
 *
 * @param members - `null` if only the engine knows them.
 * @param properties - How many properties it has; each is a table of the engine.
 */
export function characterClass(
  text: string,
  members: CodePoints | null,
  fold: boolean,
  properties = 1,
): CharacterClass {
  const known = members === null ? null : union(members);
  const weight =
    known === null ? PROPERTY_WEIGHT * properties : Math.max(1, Math.ceil(Math.log2(known.length / 2)));
  return { kind: 'class', text, fold, members: known, weight };
}

/** Prints a code point so that it stands for itself anywhere. */
export function printPoint(point: number): string {
  const character = String.fromCodePoint(point);
  return /^[0-9A-Za-z]$/.test(character) ? character : `\\x{${point.toString(16)}}`;
}

/** Reads from `[` to `]`. */
export function readClass(reader: Reader, fold: boolean): CharacterClass {
  const from = reader.at++;
  const negated = reader.takeText('^');
  let text = '';
  let members: CodePoints | null = [];
  let properties = 0;
  do {
    if (reader.peek() === '') return reader.refuse(from, 'missing the closing ]');
    const item = readItem(reader, fold);
    text += item.text;
    if (item.members === null) properties++;
    members = members === null || item.members === null ? null : [...members, ...item.members];
  } while (!reader.takeText(']'));
  if (members !== null && negated) members = complement(union(members));
  return characterClass(`[${negated ? '^' : ''}${text}]`, members, fold, properties);
}

interface Item {
  readonly text: string;
  readonly members: CodePoints | null;
}

function readItem(reader: Reader, fold: boolean): Item {
  const named = readPosixClass(reader) ?? readNamedClass(reader);
  if (named !== null) return { text: named.text, members: membersOf(named, fold) };
  const from = reader.at;
  const first = readMember(reader);
  let last = first;
  if (reader.peek() === '-' && reader.peek(1) !== ']') {
    reader.at++;
    last = readMember(reader);
  }
  if (last < first) return reader.refuse(from, 'a range that ends before it begins');
  const text = first === last ? printPoint(first) : `${printPoint(first)}-${printPoint(last)}`;
  return { text, members: fold ? foldCase([first, last]) : [first, last] };
}

function readMember(reader: Reader): number {
  if (reader.peek() === '\\') return readEscape(reader);
  if (reader.peek() === '') return reader.refuse(reader.at, 'missing the closing ]');
  return reader.take().codePointAt(0) as number;
}

function readPosixClass(reader: Reader): NamedClass | null {
  const from = reader.at;
  if (reader.takeText('[:]')) {
    return reader.refuse(from, 'not read alike by every RE2; write \\[ for a bracket');
  }
  const found = reader.takeMatch(/\[:(\^?)([\s\S]*?):\]/y);
  if (found === null) return null;
  const members = posixClasses.get(found[2] as string);
  if (members === undefined) {
    return reader.refuse(from, 'no such class; there are ' + [...posixClasses.keys()].join(', '));
  }
  return { text: found[0], members, negated: found[1] === '^' };
}
