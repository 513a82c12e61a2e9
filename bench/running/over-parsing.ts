/** What something costs for each event, over JSON.parse of that event's text. */
import type { Event } from '../../src/index.js';
import { parseEvent } from '../webhooks/events.js';
import { cpuMicros, type Effort } from './cpu.js';
import { type Compared, keep, medians } from './rounds.js';

/** How many events are alive at once: few, so that what is evaluated is as fresh from the parser as in service. */
const BATCH = 64;

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
  readonly #acts: readonly Act[];
  readonly #toParse: Cycle;
  /** For each act: they are elsewhere in the list, so that none finds warm what another has just used. */
  readonly #toDo: readonly Cycle[];
  /** Events that each act is done with in one turn: fewer where it takes long. */
  #size = 1;

  constructor(texts: readonly string[], acts: readonly Act[]) {
    this.#acts = acts;
    this.#toParse = new Cycle(texts, 0);
    this.#toDo = acts.map((_, nth) => new Cycle(texts, Math.floor((texts.length * nth) / acts.length)));
  }

  /** CPU microseconds an event: parsing, then each act. */
  round(micros: number): number[] {
    const sums = [0, ...this.#acts.map(() => 0)];
    const counts = sums.map(() => 0);
    for (let spent = 0; spent < micros; spent = sums.reduce((sum, time) => sum + time)) {
      for (const [nth, { count, took }] of this.#turn().entries()) {
        sums[nth]! += took;
        counts[nth]! += count;
      }
      if (spent < micros / 4) this.#size = Math.min(this.#size * 2, BATCH);
    }
    return sums.map((sum, nth) => sum / counts[nth]!);
  }

  #turn(): { count: number; took: number }[] {
    const toParse = this.#toParse.next(BATCH);
    const parsed = { count: toParse.length, took: parsing(toParse) };
    const done = this.#acts.map((act, nth) => {
      const events = this.#toDo[nth]!.next(this.#size).map(parseEvent);
      return { count: events.length, took: acting(act, events) };
    });
    return [parsed, ...done];
  }
}

/** Goes through a list over and over. */
class Cycle {
  readonly #list: readonly string[];
  #at: number;

  constructor(list: readonly string[], at: number) {
    this.#list = list;
    this.#at = at;
  }

  /** The next few; fewer where the list ends. */
  next(count: number): readonly string[] {
    if (this.#at >= this.#list.length) this.#at = 0;
    return this.#list.slice(this.#at, (this.#at += count));
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
