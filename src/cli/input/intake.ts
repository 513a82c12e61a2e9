/** Takes events to a command, and tells of what is none. */
import type { Context } from '../context.js';
import { styled } from '../output/printer.js';
import { Progress } from '../output/progress.js';
import { plural } from '../output/text.js';
import { readEvents } from './events.js';
import { chunksOf, nameOf, STDIN } from './read.js';

/** An event of the input. Nothing is known of its members. */
export type InputEvent = Readonly<Record<string, unknown>>;

/** One pass over the events of an input. Problems are printed as they are met; the counts are right once it has ended. */
export class EventIntake {
  readonly #path: string;
  readonly #context: Context;
  readonly #printsLast: boolean;
  #events = 0;
  #problems = 0;

  /**
   * @param path - Left out: standard input.
   * @param printsLast - The command prints nothing before the last event.
   */
  constructor(path: string | undefined, context: Context, printsLast = false) {
    this.#path = path ?? STDIN;
    this.#context = context;
    this.#printsLast = printsLast;
  }

  get isStdin(): boolean {
    return this.#path === STDIN;
  }

  get events(): number {
    return this.#events;
  }

  get problems(): number {
    return this.#problems;
  }

  /** `3 events`, and the problems, if there are any. */
  get summary(): string {
    const problems = this.#problems === 0 ? '' : `, ${plural(this.#problems, 'problem')}`;
    return `${plural(this.#events, 'event')}${problems}`;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<InputEvent> {
    const { say } = this.#context;
    const progress = new Progress(this.#context, 'event', this.#printsLast);
    try {
      for await (const found of readEvents(chunksOf(this.#path, this.#context))) {
        await progress.add();
        if (found.event !== null) {
          this.#events++;
          yield found.event;
          continue;
        }
        this.#problems++;
        await progress.end();
        const place = `${nameOf(this.#path)}:${found.line}:${found.column}: `;
        await say.line(styled('bold', place), styled('red', 'error'), `: ${found.problem}`);
      }
    } finally {
      await progress.end();
    }
  }
}
