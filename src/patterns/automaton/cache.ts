/** Automata that are made at their first use and kept until newer ones evict them. */
import { parseSyntax, type Syntax } from '../syntax.js';
import { automatonOf, type Automaton } from './automaton.js';

/** Automata kept in a process: about 6 MB. One that was evicted is made again in about ten microseconds. */
const MAX_AUTOMATA = 4096;

/** One pattern's entry in the cache. */
export interface Entry {
  automaton: Automaton | undefined;
}

/** A cache of fixed size that evicts its oldest entry. One instance lives as long as the process. */
export class RingCache {
  readonly #size: number;
  readonly #entries: Entry[] = [];
  #oldest = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Takes in an entry that was just filled, and empties the oldest one if the cache is full. */
  add(entry: Entry): void {
    const evicted = this.#entries[this.#oldest];
    if (evicted !== undefined) evicted.automaton = undefined;
    this.#entries[this.#oldest] = entry;
    this.#oldest = (this.#oldest + 1) % this.#size;
  }
}

const cache = new RingCache(MAX_AUTOMATA);

/** The automaton of a pattern that was checked and fits; it holds the source alone until it is first used. */
export function cachedAutomaton(source: string): Automaton {
  const entry: Entry = { automaton: undefined };
  return (text) => {
    if (entry.automaton === undefined) {
      entry.automaton = automatonOf((parseSyntax(source) as Syntax).tree);
      cache.add(entry);
    }
    return entry.automaton(text);
  };
}
