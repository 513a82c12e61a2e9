/** What something costs for each event, over JSON.parse of that event's text. */
import type { Event } from '../../src/index.js';
import { parseEvent } from '../webhooks/events.js';
import { cpuMicros, type Effort } from './cpu.js';
import { type Compared, keep, medians } from './rounds.js';

/** How many events are alive at once, so that those that are evaluated come fresh from the parser. */
const BATCH = 256;

type Act = (event: Event) => unknown;

/**
 * Takes turns: parses a batch and drops it, then for each act parses it anew, unmeasured, and does the act with each
 * event of it. Parsing is the first of what is compared.
 */
export function overParsing(
  texts: readonly string[],
  acts: readonly Act[],
  { rounds, roundMicros, warmUpMicros }: Effort,
): Compared {
  const turns = new Turns(texts, acts);
  for (const start = cpuMicros(); cpuMicros() - start < warmUpMicros;) turns.round(roundMicros);
  globalThis.gc?.();
  return medians(Array.from({ length: rounds }, () => turns.round(roundMicros)));
}

class Turns {
  readonly #texts: readonly string[];
  readonly #acts: readonly Act[];
  #at = 0;
  #size = 1;

  constructor(texts: readonly string[], acts: readonly Act[]) {
    this.#texts = texts;
    this.#acts = acts;
  }

  /** CPU microseconds an event: parsing, then each act. */
  round(micros: number): number[] {
    const sums = [0, ...this.#acts.map(() => 0)];
    let count = 0;
    for (let spent = 0; spent < micros;) {
      const batch = this.#take();
      count += batch.length;
      const took = [parsing(batch), ...this.#acts.map((act) => acting(act, batch.map(parseEvent)))];
      took.forEach((time, nth) => (sums[nth]! += time));
      spent = sums.reduce((sum, time) => sum + time);
      if (spent < micros / 4) this.#size = Math.min(this.#size * 2, BATCH, this.#texts.length);
    }
    return sums.map((sum) => sum / count);
  }

  #take(): readonly string[] {
    if (this.#at + this.#size > this.#texts.length) this.#at = 0;
    return this.#texts.slice(this.#at, (this.#at += this.#size));
  }
}

function parsing(texts: readonly string[]): number {
  const start = cpuMicros();
  for (const text of texts) keep(parseEvent(text));
  return cpuMicros() - start;
}

function acting(act: Act, events: readonly Event[]): number {
  const start = cpuMicros();
  for (const event of events) keep(act(event));
  return cpuMicros() - start;
}
