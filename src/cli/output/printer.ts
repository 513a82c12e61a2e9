/** Prints lines for people, and JSON for programs. All text is escaped here, so that no event can steer a terminal. */
import { stringifyJson } from '../../json-text.js';
import type { Output } from '../streams.js';
import { escapeControls } from './text.js';

/** SGR codes: on, off. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof STYLES;

/** Text with a style, which shows where there is color. */
export interface Styled {
  readonly text: string;
  readonly style: Style;
}

/** A piece of a line. */
export type Part = string | Styled;

export const styled = (style: Style, text: string): Styled => ({ text, style });
export const textOf = (part: Part): string => (typeof part === 'string' ? part : part.text);

/** Prints to one output. Made when the command begins. */
export class Printer {
  readonly #output: Output;
  readonly #hasColor: boolean;

  constructor(output: Output, env: Readonly<Record<string, string | undefined>>) {
    this.#output = output;
    // https://no-color.org: set, and not empty.
    this.#hasColor = output.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
  }

  get isTerminal(): boolean {
    return this.#output.isTerminal;
  }

  /** One line of text. A line break inside of a part is escaped, too. */
  async line(...parts: readonly Part[]): Promise<void> {
    await this.#output.write(`${parts.map((part) => this.#show(part)).join('')}\n`);
  }

  /** Text over the line that the cursor is in, without a line break; `''` clears it. For terminals alone. */
  async status(text: string): Promise<void> {
    await this.#output.write(`\r\u001b[K${escapeControls(text)}`);
  }

  /** One line of JSON. */
  async json(value: unknown): Promise<void> {
    await this.#output.write(`${escapeControls(stringifyJson(value))}\n`);
  }

  #show(part: Part): string {
    if (typeof part === 'string') return escapeControls(part);
    const text = escapeControls(part.text);
    const [on, off] = STYLES[part.style];
    return this.#hasColor ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  }
}
