/** Reads the text of a pattern, and reports the position of a mistake. */
import { codePointLength } from '../unicode.js';
import { widthAt } from './code-points.js';

/** Thrown to end a parse; caught where the parse began. */
export class SyntaxProblem extends Error {}

/** A cursor in the text of a pattern, which is well-formed. A parser makes one and moves it to the end. */
export class Reader {
  /** UTF-16 index of the next character. */
  at = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  /** The next character, or the unit `ahead` of it; empty at the end. */
  peek(ahead = 0): string {
    const at = this.at + ahead;
    return this.#source.slice(at, at + widthAt(this.#source, at));
  }

  /** Reads one character; empty at the end. */
  take(): string {
    const character = this.peek();
    this.at += character.length;
    return character;
  }

  /** Reads `text` if it stands here. */
  takeText(text: string): boolean {
    if (!this.#source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** Reads the match of a sticky expression, if there is one here. */
  takeMatch(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.#source);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  /** Throws the problem of the text that was read since `from`. */
  refuse(from: number, reason: string): never {
    const text = this.#source.slice(from, Math.max(this.at, from + widthAt(this.#source, from)));
    const what = text === '' ? 'the end' : text.replace(/\p{C}/gu, '\ufffd');
    throw new SyntaxProblem(
      `${what} at character ${codePointLength(this.#source.slice(0, from)) + 1}: ${reason}`,
    );
  }
}
