/** Shows the progress of a long command on a terminal. */
import type { Context } from '../context.js';
import { plural } from './text.js';

const PERIOD_MS = 200;

/**
 * Counts. Nothing shows before the first period is over, so a short command shows none of it; nor where the data that
 * the command prints goes to a terminal, since that tells enough. Ended by `end`.
 */
export class Progress {
  readonly #context: Context;
  readonly #one: string;
  readonly #isShowing: boolean;
  #count = 0;
  #next: number;
  #isShown = false;

  /**
   * @param one - Names what is counted, such as `event`.
   * @param printsLast - The command prints its data at the end only.
   */
  constructor(context: Context, one: string, printsLast = false) {
    this.#context = context;
    this.#one = one;
    this.#isShowing = context.say.isTerminal && (printsLast || !context.out.isTerminal);
    this.#next = context.now() + PERIOD_MS;
  }

  /** Counts one more. */
  async add(): Promise<void> {
    this.#count++;
    const { say, now } = this.#context;
    if (!this.#isShowing || now() < this.#next) return;
    this.#next = now() + PERIOD_MS;
    this.#isShown = true;
    await say.status(`${plural(this.#count, this.#one)} …`);
  }

  /** Clears the line. */
  async end(): Promise<void> {
    if (this.#isShown) await this.#context.say.status('');
  }
}
