/**
 * The accepted language: the part of RE2's published syntax that all RE2 implementations read alike.
 *
 * Patterns are parsed here and not by the engine, so that the same ones are refused whichever engine runs. The engine
 * is given plain syntax, printed from the tree.
 */
import { MAX_CODE_POINT } from './code-points.js';
import { characterClass, readClass } from './classes.js';
import { membersOf, readEscape, readNamedClass } from './escapes.js';
import { Reader, SyntaxProblem } from './reader.js';
import { repeatOf, sequence, type Assertion, type Node } from './tree.js';

/** A parsed pattern. */
export interface Syntax {
  readonly tree: Node;
  /** How many capturing groups there are. */
  readonly groups: number;
  /** Numbers of groups by name. */
  readonly names: ReadonlyMap<string, number>;
}

/** The most copies that counted repetition may make of anything, as in RE2. */
const MAX_REPEAT = 1000;

/** Parses a pattern. A pattern outside of the language returns a sentence that says why. */
export function parseSyntax(source: string): Syntax | string {
  try {
    return new Parser(source).parse();
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return problem.message;
    throw problem;
  }
}

interface Flags {
  readonly fold: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly ungreedy: boolean;
}

const flagNames: Readonly<Record<string, keyof Flags>> = {
  i: 'fold',
  m: 'multiline',
  s: 'dotAll',
  U: 'ungreedy',
};

const dot = characterClass('[^\\x{a}]', [0, 9, 11, MAX_CODE_POINT], false);
const dotAll = characterClass('[\\x{0}-\\x{10ffff}]', [0, MAX_CODE_POINT], false);

/** A recursive-descent parser; made for one pattern. */
class Parser {
  readonly #reader: Reader;
  readonly #names = new Map<string, number>();
  /** For a node, the copies that counted repetition makes of its deepest part; 1 if absent. */
  readonly #copies = new WeakMap<Node, number>();
  #flags: Flags = { fold: false, multiline: false, dotAll: false, ungreedy: false };
  #groups = 0;

  constructor(source: string) {
    this.#reader = new Reader(source);
  }

  parse(): Syntax {
    const tree = this.#choice();
    if (this.#reader.peek() !== '') {
      this.#reader.refuse(this.#reader.at, 'closes no group; write \\) for a parenthesis');
    }
    return { tree, groups: this.#groups, names: this.#names };
  }

  #choice(): Node {
    const nodes = [this.#sequence()];
    while (this.#reader.takeText('|')) nodes.push(this.#sequence());
    const node: Node = nodes.length === 1 ? (nodes[0] as Node) : { kind: 'choice', nodes };
    return this.#counted(node, ...nodes);
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    let repeated = false;
    for (
      let next = this.#reader.peek();
      next !== '' && next !== '|' && next !== ')';
      next = this.#reader.peek()
    ) {
      const bounds = this.#repetition();
      if (bounds === null) nodes.push(...this.#atom());
      else nodes.push(this.#repeat(nodes.pop(), bounds, repeated));
      repeated = bounds !== null;
    }
    return this.#counted(sequence(nodes), ...nodes);
  }

  /** Reads a repetition operator, if there is one here: its bounds, and where it began. */
  #repetition(): { readonly min: number; readonly max: number; readonly from: number } | null {
    const from = this.#reader.at;
    if (this.#reader.takeText('*')) return { min: 0, max: Infinity, from };
    if (this.#reader.takeText('+')) return { min: 1, max: Infinity, from };
    if (this.#reader.takeText('?')) return { min: 0, max: 1, from };
    // Any other brace stands for itself.
    const found = this.#reader.takeMatch(/\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/y);
    if (found === null) return null;
    const min = Number(found[1]);
    const max = found[3] !== undefined ? Number(found[3]) : found[2] === ',' ? Infinity : min;
    if (min > MAX_REPEAT || (max > MAX_REPEAT && max !== Infinity)) {
      this.#reader.refuse(from, `repeats more than ${MAX_REPEAT} times`);
    }
    if (max < min) this.#reader.refuse(from, 'at most less than at least');
    return { min, max, from };
  }

  #repeat(node: Node | undefined, bounds: { min: number; max: number; from: number }, again: boolean): Node {
    const { min, max, from } = bounds;
    const lazy = this.#reader.takeText('?') !== this.#flags.ungreedy;
    if (node === undefined) {
      return this.#reader.refuse(from, 'repeats nothing; write a backslash before it to mean the character');
    }
    if (again) return this.#reader.refuse(from, 'repeats a repetition; write (?:…) around it');
    const repeated = repeatOf(node, min, max, lazy);
    const once = max === 1 || (min <= 1 && max === Infinity);
    const copies = (this.#copies.get(node) ?? 1) * (once ? 1 : Math.max(1, max === Infinity ? min : max));
    if (copies > MAX_REPEAT) {
      this.#reader.refuse(from, `nested repetition makes more than ${MAX_REPEAT} copies`);
    }
    this.#copies.set(repeated, copies);
    return repeated;
  }

  /** Records for a node the greatest number of copies among its parts. */
  #counted(node: Node, ...parts: readonly Node[]): Node {
    const copies = Math.max(1, ...parts.map((part) => this.#copies.get(part) ?? 1));
    if (copies > 1) this.#copies.set(node, copies);
    return node;
  }

  /** Reads one atom: no node for a group of flags, several for a quotation. */
  #atom(): readonly Node[] {
    const reader = this.#reader;
    const flags = this.#flags;
    switch (reader.peek()) {
      case '(':
        return this.#group();
      case '[':
        return [readClass(reader, flags.fold)];
      case '\\':
        return this.#escape();
      case '.':
        reader.at++;
        return [flags.dotAll ? dotAll : dot];
      case '^':
        reader.at++;
        return [assertion(flags.multiline ? 'line-start' : 'text-start')];
      case '$':
        reader.at++;
        return [assertion(flags.multiline ? 'line-end' : 'text-end')];
      default:
        return [this.#character(reader.take())];
    }
  }

  #character(character: string): Node {
    return this.#point(character.codePointAt(0) as number);
  }

  #point(point: number): Node {
    return {
      kind: 'character',
      point,
      fold: this.#flags.fold && (point > 0x7f || /[A-Za-z]/.test(String.fromCodePoint(point))),
    };
  }

  #escape(): readonly Node[] {
    const reader = this.#reader;
    if (reader.takeText('\\A')) return [assertion('text-start')];
    if (reader.takeText('\\z')) return [assertion('text-end')];
    if (reader.takeText('\\b')) return [assertion('word-boundary')];
    if (reader.takeText('\\B')) return [assertion('no-word-boundary')];
    if (reader.takeText('\\Q')) return this.#quotation();
    const named = readNamedClass(reader);
    if (named === null) return [this.#point(readEscape(reader))];
    return [characterClass(`[${named.text}]`, membersOf(named, this.#flags.fold), this.#flags.fold)];
  }

  #quotation(): readonly Node[] {
    const nodes: Node[] = [];
    while (this.#reader.peek() !== '' && !this.#reader.takeText('\\E')) {
      nodes.push(this.#character(this.#reader.take()));
    }
    return nodes;
  }

  #group(): readonly Node[] {
    const reader = this.#reader;
    const flags = this.#flags;
    const from = reader.at++;
    const captures = reader.peek() !== '?';
    if (captures) this.#groups++;
    else if (!this.#groupName(from)) {
      this.#groupFlags(from);
      if (reader.takeText(')')) return [];
      reader.at++; // the colon
      return [this.#groupBody(from, flags)];
    }
    const node = this.#groupBody(from, flags);
    return [this.#counted({ kind: 'group', node }, node)];
  }

  #groupBody(from: number, outer: Flags): Node {
    const node = this.#choice();
    if (!this.#reader.takeText(')')) this.#reader.refuse(from, 'missing the closing )');
    this.#flags = outer;
    return node;
  }

  #groupName(from: number): boolean {
    const reader = this.#reader;
    for (const look of ['?=', '?!', '?<=', '?<!']) {
      if (reader.takeText(look)) reader.refuse(from, 'RE2 has no look-around; write a second leaf');
    }
    if (!reader.takeText('?P<') && !reader.takeText('?<')) return false;
    const name = reader.takeMatch(/([0-9A-Za-z_]+)>/y)?.[1];
    if (name === undefined) {
      return reader.refuse(from, 'a group name is letters, digits and _, and ends with >');
    }
    if (this.#names.has(name)) return reader.refuse(from, 'two groups of the same name');
    this.#names.set(name, ++this.#groups);
    return true;
  }

  #groupFlags(from: number): void {
    const found = this.#reader.takeMatch(/\?([imsU]*)(?:-([imsU]+))?(?=[:)])/y);
    if (found === null) {
      return this.#reader.refuse(
        from,
        'not a group of RE2, which has (…), (?:…), (?P<name>…) and the flags i, m, s, U',
      );
    }
    const flags = { ...this.#flags };
    for (const letter of found[1] as string) flags[flagNames[letter] as keyof Flags] = true;
    for (const letter of found[2] ?? '') flags[flagNames[letter] as keyof Flags] = false;
    this.#flags = flags;
  }
}

function assertion(at: Assertion['at']): Assertion {
  return { kind: 'assertion', at };
}
