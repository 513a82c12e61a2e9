/** Feeds events to a command and reports inputs that are not events. */
import type { Context } from '../context.js';
import { styled } from '../output/printer.js';
import { Progress } from '../output/progress.js';
import { plural } from '../output/text.js';
import { readEvents } from './events.js';
import { chunksOf, nameOf, STDIN } from './read.js';

/** An event of the input. Nothing is known of its members. */
export type InputEvent = Readonly<Record<string, unknown>>;

/** Options of an intake. */
interface IntakeOptions {
  /** Whether the input has bodies of webhooks, each of which becomes `data.body` of an event. */
  readonly body: boolean;
  /** Whether the command prints nothing before the last event. */
  readonly printsLast?: boolean;
}

/** Every event has `data`; the bodies of most providers do not, or have something else in it. */
const isEvent = ({ data }: InputEvent): boolean => typeof data === 'object' && data !== null;

const NOT_AN_EVENT = {
  event: null,
  problem:
    'this object is not an event: it has no "data" object; if it is the body of a webhook, give --body',
} as const;

/** The event that a webhook with this body becomes. */
const eventOf = (body: InputEvent, nth: number, now: number): InputEvent => ({
  id: `body_${nth}`,
  type: 'webhook.received',
  channel: { type: 'webhook' },
  data: { body },
  received_at: new Date(now).toISOString(),
});

/**
 * One pass over the events of an input. Problems are printed as they are met; the counts are right once it has ended.
 */
export class EventIntake {
  readonly #path: string;
  readonly #context: Context;
  readonly #options: IntakeOptions;
  #events = 0;
  #problems = 0;

  /** @param path - Left out: standard input. */
  constructor(path: string | undefined, context: Context, options: IntakeOptions) {
    this.#path = path ?? STDIN;
    this.#context = context;
    this.#options = options;
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
    const { body: isBody, printsLast = false } = this.#options;
    const progress = new Progress(this.#context, 'event', printsLast);
    try {
      for await (const read of readEvents(chunksOf(this.#path, this.#context))) {
        await progress.add();
        const found =
          read.event === null || isBody || isEvent(read.event) ? read : { ...read, ...NOT_AN_EVENT };
        if (found.event !== null) {
          this.#events++;
          yield isBody ? eventOf(found.event, this.#events, this.#context.now()) : found.event;
          continue;
        }
        this.#problems++;
        await progress.end();
        const position = `${nameOf(this.#path)}:${found.line}:${found.column}: `;
        await say.line(styled('bold', position), styled('red', 'error'), `: ${found.problem}`);
      }
    } finally {
      await progress.end();
    }
  }
}
