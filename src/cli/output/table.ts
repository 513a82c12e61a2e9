/** A table whose rows come one at a time. */
import { type Part, type Printer, styled, textOf } from './printer.js';
import { escapeControls } from './text.js';

/** Rows that are held back, so that the columns fit them. */
const FIRST_ROWS = 50;
const WIDEST = 40;

/**
 * Prints rows as they come. Columns are as wide as the first rows need them; a later cell that is wider moves its own
 * row only. Made for one table, and ended by `end`.
 */
export class Table {
  readonly #printer: Printer;
  readonly #heading: readonly string[];
  #waiting: (readonly Part[])[] | null = [];
  #widths: readonly number[] = [];

  constructor(printer: Printer, heading: readonly string[]) {
    this.#printer = printer;
    this.#heading = heading;
  }

  async row(...cells: readonly Part[]): Promise<void> {
    if (this.#waiting === null) return this.#print(cells);
    this.#waiting.push(cells);
    if (this.#waiting.length === FIRST_ROWS) await this.end();
  }

  /** Prints the rows that were held back. Without any row it prints nothing. */
  async end(): Promise<void> {
    const rows = this.#waiting ?? [];
    this.#waiting = null;
    if (rows.length === 0) return;
    const heading = this.#heading.map((name) => styled('bold', name));
    this.#widths = this.#heading.map((_, column) =>
      Math.min(WIDEST, Math.max(...[heading, ...rows].map((cells) => widthOf(cells[column] ?? '')))),
    );
    for (const cells of [heading, ...rows]) await this.#print(cells);
  }

  async #print(cells: readonly Part[]): Promise<void> {
    const last = cells.findLastIndex((cell) => textOf(cell) !== '');
    const parts = cells.slice(0, last + 1).flatMap((cell, column) => {
      const missing = (this.#widths[column] ?? 0) - widthOf(cell);
      return column === last ? [cell] : [cell, ' '.repeat(Math.max(0, missing) + 2)];
    });
    await this.#printer.line(...parts);
  }
}

const widthOf = (part: Part): number => escapeControls(textOf(part)).length;
