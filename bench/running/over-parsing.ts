/** The cost of an act for each event, over JSON.parse of that event's text. */
import type { Event } from '../../src/index.js';
import { parseEvent } from '../webhooks/events.js';
import { cpuMicros, type Effort } from './cpu.js';
import { type Compared, keep, medians } from './rounds.js';

/** Events that are kept and met again and again, so that they and their rules lie in the nearest caches. */
const KEPT = 256;

/** Texts of one turn. */
const BATCH = 256;

/** The least time of an event: less is lost in the noise of what is subtracted, and no figure is divided by zero. */
const LEAST_MICROS = 0.001;

type Act = (event: Event) => unknown;

/**
 * Takes turns: parses a batch; for each act, parses it and does the act with each event as it comes from the parser,
 * which counts as what that took more; and for each act, does it with events that are kept. What is compared: parsing,
 * the acts on fresh events, the acts on kept ones.
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
  readonly #kept: readonly Event[];
  #at = 0;
  #size = 1;

  constructor(texts: readonly string[], acts: readonly Act[]) {
    this.#texts = texts;
    this.#acts = acts;
    this.#kept = texts.slice(0, KEPT).map(parseEvent);
  }

  /** CPU microseconds an event. */
  round(micros: number): number[] {
    const sums = [0, ...this.#acts.map(() => 0), ...this.#acts.map(() => 0)];
    let count = 0;
    for (let spent = 0; spent < micros;) {
      const batch = this.#take();
      count += batch.length;
      const parsing = taking(batch, parseEvent);
      const took = [
        parsing,
        ...this.#acts.map((act) => Math.max(0, taking(batch, (text) => act(parseEvent(text))) - parsing)),
        ...this.#acts.map((act) => taking(this.#kept.slice(0, batch.length), act)),
      ];
      took.forEach((time, nth) => (sums[nth]! += time));
      spent = sums.reduce((sum, time) => sum + time);
      if (spent < micros / 4) this.#size = Math.min(this.#size * 2, BATCH, this.#texts.length);
    }
    return sums.map((sum) => Math.max(sum / count, LEAST_MICROS));
  }

  #take(): readonly string[] {
    if (this.#at + this.#size > this.#texts.length) this.#at = 0;
    return this.#texts.slice(this.#at, (this.#at += this.#size));
  }
}

function taking<T>(items: readonly T[], act: (item: T) => unknown): number {
  const start = cpuMicros();
  for (const item of items) keep(act(item));
  return cpuMicros() - start;
}
