/** Escapes: characters and named classes that begin with a backslash. */
import { MAX_CODE_POINT, complement, isSurrogate, union, type CodePoints } from './code-points.js';
import { perlClasses, propertyNames } from './class-names.js';
import type { Reader } from './reader.js';

const controls: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

/** Advice for escapes of other languages, by their letter. */
const advice: ReadonlyMap<string, string> = new Map([
  ['A', 'stands outside of classes only'],
  ['B', 'stands outside of classes only'],
  ['b', 'stands outside of classes only; for a backspace write \\x08'],
  ['C', 'not in every RE2; for any character write (?s:.)'],
  ['c', 'not in RE2; write the control character as \\x01 to \\x1F'],
  ['E', 'has no \\Q before it'],
  ['e', 'not in RE2; write \\x1B'],
  ['G', 'not in RE2'],
  ['h', 'not in RE2; write [ \\t]'],
  ['K', 'not in RE2; write a group and put it back with $1'],
  ['k', 'RE2 has no back-references; test for equality outside of the pattern'],
  ['N', 'not in RE2; write [^\\n]'],
  ['Q', 'stands outside of classes only'],
  ['R', 'not in RE2; write \\r?\\n'],
  ['u', 'not in RE2; write \\x{41} with the hexadecimal code point'],
  ['X', 'not in RE2; write .'],
  ['Z', 'not in RE2; write \\z for the end of the text'],
  ['z', 'stands outside of classes only'],
]);

/**
 * Reads an escape that stands for one character.
 *
 * @returns Its code point.
 */
export function readEscape(reader: Reader): number {
  const from = reader.at++;
  const octal = reader.takeMatch(/(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/y);
  if (octal !== null) return Number.parseInt(octal[0], 8);
  const hexadecimal = reader.takeMatch(/x(?:[0-9A-Fa-f]{2}|\{[0-9A-Fa-f]+\})/y);
  if (hexadecimal !== null) {
    return checkPoint(reader, from, Number.parseInt(hexadecimal[0].replace(/[x{]/g, ''), 16));
  }
  const character = reader.take();
  const control = controls.get(character);
  if (control !== undefined) return control;
  if (/^[^0-9A-Za-z\x80-\u{10FFFF}]$/u.test(character)) return character.charCodeAt(0);
  return reader.refuse(from, adviceFor(character));
}

function adviceFor(character: string): string {
  if (character === '') return 'a backslash at the end; write \\\\ for a backslash';
  if (character === 'x') return 'write \\x and two hexadecimal digits, or \\x{…}';
  if (/[0-9]/.test(character)) return 'RE2 has no back-references; test for equality outside of the pattern';
  if (character > '\x7f') return 'needs no backslash';
  return advice.get(character) ?? 'no such escape; a letter that stands for itself needs no backslash';
}

/** Refuses code points that no text can contain; surrogates are replaced before RE2 reads a text. */
function checkPoint(reader: Reader, from: number, point: number): number {
  if (point > MAX_CODE_POINT) return reader.refuse(from, 'beyond \\x{10FFFF}, the last code point');
  if (isSurrogate(point)) return reader.refuse(from, 'half of a surrogate pair; write the whole character');
  return point;
}

/** A named class, or a property. */
export interface NamedClass {
  /** RE2 syntax. */
  readonly text: string;
  /** `null` for a property. */
  readonly members: CodePoints | null;
  /** Whether the complement of {@link members} is meant. */
  readonly negated: boolean;
}

/** Reads `\d`, `\p{…}` and the like, if there is one here. */
export function readNamedClass(reader: Reader): NamedClass | null {
  const perl = reader.takeMatch(/\\([dsw])/iy);
  if (perl !== null) {
    const name = perl[1] as string;
    return {
      text: perl[0],
      members: perlClasses.get(name.toLowerCase()) as CodePoints,
      negated: name !== name.toLowerCase(),
    };
  }
  if (!/^\\p/i.test(reader.peek() + reader.peek(1))) return null;
  return readProperty(reader);
}

function readProperty(reader: Reader): NamedClass {
  const from = reader.at;
  const found = reader.takeMatch(/\\([pP])(?:\{(\^?)([^}]*)\}|([A-Za-z]))/y);
  if (found === null) {
    return reader.refuse(from, 'write \\pN, or \\p{Greek} with the name of a category or script');
  }
  const name = found[3] ?? found[4] ?? '';
  if (!propertyNames.has(name)) {
    return reader.refuse(from, `not a property that every RE2 knows; ${propertyAdvice(name)}`);
  }
  const negated = (found[1] === 'P') !== (found[2] === '^');
  return { text: `\\${negated ? 'P' : 'p'}{${name}}`, members: null, negated };
}

function propertyAdvice(name: string): string {
  for (const known of propertyNames) {
    if (known.toLowerCase() === name.toLowerCase()) return `write ${known}`;
  }
  const script = /^(?:Script|sc|General_Category|gc)=(.*)$/.exec(name)?.[1];
  if (script !== undefined && propertyNames.has(script)) return `write ${script} alone`;
  return 'categories such as L, Lu, N and scripts such as Greek, Han are';
}

/** The characters of a named class; `null` if only the engine knows them. */
export function membersOf({ members, negated }: NamedClass, fold: boolean): CodePoints | null {
  const folded = members !== null && fold ? foldCase(members) : members;
  return folded !== null && negated ? complement(union(folded)) : folded;
}

/** A set with all cases of its members; `null` for a set that is not within ASCII. */
export function foldCase(set: CodePoints): CodePoints | null {
  const folded = [...set];
  for (let i = 0; i < set.length; i += 2) {
    const last = set[i + 1] as number;
    if (last > 0x7f) return null;
    for (let point = set[i] as number; point <= last; point++) folded.push(...otherCases(point));
  }
  return folded;
}

/** The other cases of an ASCII character, as flat ranges. */
function otherCases(point: number): CodePoints {
  const letter = point & ~0x20;
  if (letter < 0x41 || letter > 0x5a || point > 0x7f) return [];
  const twin = point ^ 0x20;
  if (letter === 0x4b) return [twin, twin, 0x212a, 0x212a]; // K: the Kelvin sign
  if (letter === 0x53) return [twin, twin, 0x17f, 0x17f]; // S: the long s
  return [twin, twin];
}
