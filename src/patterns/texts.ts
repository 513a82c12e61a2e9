/**
 * Searches for texts in the strings of one event. All of them together take time linear in the event and in the texts.
 */
import { suffixArray } from './suffix-array.js';
import { indexOfText } from './text-search.js';
import { wellFormed } from './well-formed.js';

/** Counts work for tests of cost; nothing is counted if it is left out. */
export interface ScanProbe {
  /** UTF-16 units of text that were read, each as often as it was read. A search in a suffix array reads none. */
  units: number;
}

/** Searches subjects for texts. */
export interface TextFinder {
  /** Called with all text that is read. */
  readonly probe?: ScanProbe | undefined;
  /** Whether a text occurs in a subject. */
  has(subject: string, text: string): boolean;
  /**
   * Whether any of some texts occurs in a subject.
   *
   * @param search - Finds that out by one search, in time linear in the subject.
   */
  hasAny(subject: string, texts: readonly string[], search: (subject: string) => boolean): boolean;
  /** The subject with U+FFFD for each lone surrogate. */
  wellFormed(subject: string): string;
}

/** Searches without a cache. */
export const directly: TextFinder = {
  has: (subject, text) => indexOfText(subject, text) >= 0,
  hasAny: (subject, _texts, search) => search(subject),
  wellFormed,
};

/** UTF-16 units that are searched in one event before its strings are cached. */
const UNCACHED_UNITS = 1 << 20;

/** Searches of a string before it is indexed; making the index takes about as long as these searches. */
const SEARCHES_BEFORE_INDEX = 64;

/** UTF-16 units of the longest string that is indexed. An index takes ten bytes a unit while it is made, then four. */
const MAX_INDEXED_UNITS = 1 << 24;

/** The number of searches that a search for a set of texts counts as: it takes up to that many times as long. */
const SEARCHES_OF_A_SET = 32;

/**
 * Searches the strings of one event: directly at first, then by a suffix array of each string that is searched often.
 * Made for an event when a pattern first needs it, and discarded with the event.
 */
export class Texts implements TextFinder {
  readonly probe: ScanProbe | undefined;
  #searched = 0;
  #known: Map<string, SearchedText> | null = null;

  /** @param probe - For tests of cost. */
  constructor(probe?: ScanProbe) {
    this.probe = probe;
  }

  has(subject: string, text: string): boolean {
    if (this.#isUncached(subject, 1)) return directly.has(subject, text);
    return this.#of(subject).has(text);
  }

  hasAny(subject: string, texts: readonly string[], search: (subject: string) => boolean): boolean {
    if (this.#isUncached(subject, SEARCHES_OF_A_SET)) return search(subject);
    return this.#of(subject).hasAny(texts, search);
  }

  wellFormed(subject: string): string {
    return this.#searched < UNCACHED_UNITS ? wellFormed(subject) : this.#of(subject).wellFormed;
  }

  /** Counts the units of a search; true as long as nothing is cached. */
  #isUncached(subject: string, times: number): boolean {
    this.#searched += times * subject.length;
    const isUncached = this.#searched < UNCACHED_UNITS;
    if (isUncached && this.probe !== undefined) this.probe.units += subject.length;
    return isUncached;
  }

  #of(subject: string): SearchedText {
    const known = (this.#known ??= new Map<string, SearchedText>());
    let searched = known.get(subject);
    if (searched === undefined) known.set(subject, (searched = new SearchedText(subject, this.probe)));
    return searched;
  }
}

/** A string that is searched repeatedly. Made and discarded with its event's {@link Texts}. */
class SearchedText {
  readonly #subject: string;
  readonly #probe: ScanProbe | undefined;
  #wellFormed: string | null = null;
  #searches = 0;
  /** The suffix array; `null` until the string was searched often. */
  #suffixes: Int32Array | null = null;

  constructor(subject: string, probe: ScanProbe | undefined) {
    this.#subject = subject;
    this.#probe = probe;
  }

  get wellFormed(): string {
    return (this.#wellFormed ??= wellFormed(this.#subject));
  }

  has(text: string): boolean {
    if (text.length > this.#subject.length) return false;
    return this.#isIndexed(1) ? this.#hasSuffix(text) : directly.has(this.#subject, text);
  }

  hasAny(texts: readonly string[], search: (subject: string) => boolean): boolean {
    return this.#isIndexed(SEARCHES_OF_A_SET)
      ? texts.some((text) => this.#hasSuffix(text))
      : search(this.#subject);
  }

  #isIndexed(searches: number): boolean {
    this.#searches += searches;
    if (this.#searches <= SEARCHES_BEFORE_INDEX || this.#subject.length > MAX_INDEXED_UNITS) {
      if (this.#probe !== undefined) this.#probe.units += this.#subject.length;
      return false;
    }
    this.#suffixes ??= suffixArray(this.#subject);
    return true;
  }

  /** Whether a suffix begins with a text. */
  #hasSuffix(text: string): boolean {
    const suffixes = this.#suffixes as Int32Array;
    let low = 0;
    let high = suffixes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(suffixes[middle] as number, text);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return text === '';
  }

  /** The order of a suffix and a text; 0 if the suffix begins with it. */
  #compare(start: number, text: string): number {
    const subject = this.#subject;
    for (let i = 0; i < text.length; i++) {
      if (start + i === subject.length) return -1;
      const order = subject.charCodeAt(start + i) - text.charCodeAt(i);
      if (order !== 0) return order;
    }
    return 0;
  }
}
