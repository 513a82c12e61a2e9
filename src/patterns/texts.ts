/** Searches for texts in the strings of one event; together they take time linear in the event and in the texts. */
import { suffixArray } from './suffix-array.js';
import { indexOfText } from './text-search.js';
import { wellFormed } from './well-formed.js';

/** Searches strings for texts. */
export interface TextFinder {
  /** Whether a text occurs in a subject. */
  has(subject: string, text: string): boolean;
  /**
   * Whether any of some texts occurs in a subject.
   *
   * @param quick - Answers the same, in time linear in the subject.
   */
  hasAny(subject: string, texts: readonly string[], quick: (subject: string) => boolean): boolean;
  /** The subject with U+FFFD for each lone surrogate. */
  wellFormed(subject: string): string;
}

/** Searches without a cache, for few questions. */
export const directly: TextFinder = {
  has: (subject, text) => indexOfText(subject, text) >= 0,
  hasAny: (subject, _texts, quick) => quick(subject),
  wellFormed,
};

/** UTF-16 units searched in one event before its strings are cached. */
const FREE_UNITS = 1 << 20;

/** Searches of a string before it is indexed; making the index takes about as long as they do. */
const SEARCHES = 64;

/** UTF-16 units of the longest indexed string. An index takes ten bytes for each while it is made, four afterwards. */
const LONGEST_INDEXED = 1 << 24;

/** Searches that one for a finite set of texts counts as: it takes up to so many times as long. */
const SET_WORK = 32;

/** Searches the strings of one event: directly at first, then by an index of each that is searched often. */
export class Texts implements TextFinder {
  #searched = 0;
  #known: Map<string, SearchedText> | null = null;

  has(subject: string, text: string): boolean {
    if (this.#isFree(subject, 1)) return directly.has(subject, text);
    return this.#of(subject).has(text);
  }

  hasAny(subject: string, texts: readonly string[], quick: (subject: string) => boolean): boolean {
    if (this.#isFree(subject, SET_WORK)) return quick(subject);
    return this.#of(subject).hasAny(texts, quick);
  }

  wellFormed(subject: string): string {
    return this.#searched < FREE_UNITS ? wellFormed(subject) : this.#of(subject).wellFormed;
  }

  /** Counts the units of a search; true as long as nothing is cached. */
  #isFree(subject: string, times: number): boolean {
    this.#searched += times * subject.length;
    return this.#searched < FREE_UNITS;
  }

  #of(subject: string): SearchedText {
    const known = (this.#known ??= new Map<string, SearchedText>());
    let searched = known.get(subject);
    if (searched === undefined) known.set(subject, (searched = new SearchedText(subject)));
    return searched;
  }
}

/** A string that is searched repeatedly. Lives as long as the evaluation of its event. */
class SearchedText {
  readonly #subject: string;
  #wellFormed: string | null = null;
  #searches = 0;
  /** The suffix array; `null` until it pays. */
  #suffixes: Int32Array | null = null;

  constructor(subject: string) {
    this.#subject = subject;
  }

  get wellFormed(): string {
    return (this.#wellFormed ??= wellFormed(this.#subject));
  }

  has(text: string): boolean {
    if (text.length > this.#subject.length) return false;
    return this.#isIndexed(1) ? this.#hasSuffix(text) : directly.has(this.#subject, text);
  }

  hasAny(texts: readonly string[], quick: (subject: string) => boolean): boolean {
    return this.#isIndexed(SET_WORK) ? texts.some((text) => this.#hasSuffix(text)) : quick(this.#subject);
  }

  #isIndexed(searches: number): boolean {
    this.#searches += searches;
    if (this.#searches <= SEARCHES || this.#subject.length > LONGEST_INDEXED) return false;
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

  /** The order of a suffix and a text; 0 where the suffix begins with it. */
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
