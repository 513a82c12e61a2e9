/** Walks over the text of a pattern and says where it went wrong. */

/** Ends a parse; caught where the parse began. */
export class SyntaxProblem extends Error {}

/** The characters of a pattern and the place that the parser has reached. */
export class Reader {
  /** One string a code point. */
  readonly characters: readonly string[];
  /** Index of the next character. */
  at = 0;

  constructor(source: string) {
    this.characters = Array.from(source);
  }

  /** The next character, or the one `ahead` of it; empty at the end. */
  peek(ahead = 0): string {
    return this.characters[this.at + ahead] ?? '';
  }

  /** Reads one character; empty at the end. */
  take(): string {
    const character = this.peek();
    if (character !== '') this.at++;
    return character;
  }

  /** Reads `text` (ASCII) if it stands here. */
  takeText(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.peek(i) !== text[i]) return false;
    this.at += text.length;
    return true;
  }

  /** Reads what the expression, which begins with `^`, finds here. */
  takeMatch(expression: RegExp): RegExpExecArray | null {
    const found = expression.exec(this.rest());
    if (found !== null) this.at += Array.from(found[0]).length;
    return found;
  }

  /** Whatever is not read yet. */
  rest(): string {
    return this.characters.slice(this.at).join('');
  }

  /** Refuses what was read since `from`. */
  refuse(from: number, reason: string): never {
    const text = this.characters.slice(from, Math.max(this.at, from + 1)).join('');
    const what = text === '' ? 'the end' : text.replace(/\p{C}/gu, '\ufffd');
    throw new SyntaxProblem(`${what} at character ${from + 1}: ${reason}`);
  }
}
