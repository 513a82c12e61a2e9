/** What something costs for each event, over JSON.parse of that event's text. */
import type { Event } from '../../src/index.js';
import { parseEvent } from '../webhooks/events.js';
import { cpuMicros, median, type Effort } from './cpu.js';
import { keep } from './rounds.js';

/** How many events are alive at once, so that those that are evaluated come fresh from the parser. */
const BATCH = 256;

export interface OverParsing {
  /** CPU microseconds an event. */
  readonly micros: number;
  readonly parseMicros: number;
  /** The median of the rounds' ratios. */
  readonly ratio: number;
}

/** Takes turns: parses a batch and drops it, parses it anew unmeasured, and does `act` with each event of it. */
export function overParsing(
  texts: readonly string[],
  act: (event: Event) => unknown,
  { rounds, roundMicros, warmUpMicros }: Effort,
): OverParsing {
  const pairs = new Batches(texts, act);
  for (const start = cpuMicros(); cpuMicros() - start < warmUpMicros;) pairs.next(roundMicros);
  globalThis.gc?.();
  const rows = Array.from({ length: rounds }, () => pairs.next(roundMicros));
  return {
    micros: median(rows.map(({ own }) => own)),
    parseMicros: median(rows.map(({ parse }) => parse)),
    ratio: median(rows.map(({ own, parse }) => own / parse)),
  };
}

class Batches {
  readonly #texts: readonly string[];
  readonly #act: (event: Event) => unknown;
  #at = 0;
  #size = 1;

  constructor(texts: readonly string[], act: (event: Event) => unknown) {
    this.#texts = texts;
    this.#act = act;
  }

  /** One round: CPU microseconds an event, of both sides. Batches grow until one round has several. */
  next(roundMicros: number): { own: number; parse: number } {
    let own = 0;
    let parse = 0;
    let count = 0;
    do {
      const batch = this.#take();
      const start = cpuMicros();
      for (const text of batch) keep(parseEvent(text));
      parse += cpuMicros() - start;
      own += this.#evaluate(batch.map(parseEvent));
      count += batch.length;
      if (own + parse < roundMicros / 4) this.#size = Math.min(this.#size * 2, BATCH, this.#texts.length);
    } while (own + parse < roundMicros);
    return { own: own / count, parse: parse / count };
  }

  #evaluate(events: readonly Event[]): number {
    const start = cpuMicros();
    for (const event of events) keep(this.#act(event));
    return cpuMicros() - start;
  }

  #take(): readonly string[] {
    if (this.#at + this.#size > this.#texts.length) this.#at = 0;
    return this.#texts.slice(this.#at, (this.#at += this.#size));
  }
}
