/**
 * The rules that keys lead to, in flat arrays.
 *
 * A rule is an *entry*: the offset of its record, and a bit that is set if the rule matches for certain. The posting of
 * a key is an entry, or the beginning of a list of entries, or the number of an inner index. In a list, the *guard*
 * beside an entry is another key that the event must have: most rules that cannot match are told by it, and their
 * records not read.
 */
import { isIndex, type IndexPlan, type Key, type Plan, type Posting } from '../plan/index.js';
import { entryOf } from './entries.js';
import { Ints } from './ints.js';
import { NO_KEY, type KeyNumbers } from './key-numbers.js';
import { Ranges } from './ranges.js';

/** The posting of a key that no rule is posted under. */
export const NO_POSTING = -1;

/** How the rules of one index are found. */
export interface IndexLayout {
  /** The posting of each key of an inner index. */
  readonly posted: ReadonlyMap<number, number>;
  readonly ranges: readonly PathRanges[];
  /** Entries of rules that are candidates whenever the index is searched, in order. */
  readonly always: Int32Array;
}

/** The ranges of an index at one path. */
export interface PathRanges {
  readonly path: number;
  readonly ranges: Ranges;
}

/** The offset of the record of a rule, by its number. */
export type OffsetOf = (rule: number) => number;

/** All postings of a plan. Immutable once built. */
export class Postings {
  /** The outermost index; its keys are looked up by {@link Postings.of}. */
  readonly root: Omit<IndexLayout, 'posted'>;
  readonly #root: Int32Array;
  /** Lists: the count, and each entry with its guard; or, instead of a count, `-1 - ` the number of an inner index. */
  readonly #lists: Int32Array;
  readonly #inner: IndexLayout[] = [];

  constructor({ root }: Plan, keys: KeyNumbers, offsetOf: OffsetOf) {
    const lists = new Ints();
    this.#root = new Int32Array(keys.count).fill(NO_POSTING);
    for (const [key, postings] of root.byKey) {
      this.#root[keys.of(key)] = this.#add(postings, lists, keys, offsetOf);
    }
    this.root = { ranges: layOutRanges(root, offsetOf), always: layOutAlways(root, offsetOf) };
    this.#lists = lists.toArray();
  }

  #add(postings: readonly Posting[] | IndexPlan, lists: Ints, keys: KeyNumbers, offsetOf: OffsetOf): number {
    if (isIndex(postings)) {
      const number = this.#inner.push(this.#layOut(postings, lists, keys, offsetOf)) - 1;
      return -2 - lists.push(-1 - number);
    }
    const [first] = postings;
    if (postings.length === 1 && first !== undefined && !isGuarded(first)) return entry(first, offsetOf);
    const start = lists.push(postings.length);
    for (const posting of postings) {
      lists.push(entry(posting, offsetOf));
      lists.push(isGuarded(posting) ? keys.of(posting.guard) : NO_KEY);
    }
    return -2 - start;
  }

  #layOut(index: IndexPlan, lists: Ints, keys: KeyNumbers, offsetOf: OffsetOf): IndexLayout {
    const posted = new Map<number, number>();
    for (const [key, postings] of index.byKey) {
      posted.set(keys.of(key), this.#add(postings, lists, keys, offsetOf));
    }
    return { posted, ranges: layOutRanges(index, offsetOf), always: layOutAlways(index, offsetOf) };
  }

  /** The posting of a key at the root; `NO_POSTING` where no rule is posted under it. */
  of(key: number): number {
    return this.#root[key] as number;
  }

  /** The inner index that a posting leads to; `null` if it leads to entries. */
  innerOf(posting: number): IndexLayout | null {
    if (isEntry(posting)) return null;
    const count = this.#lists[-2 - posting] as number;
    return count < 0 ? (this.#inner[-1 - count] as IndexLayout) : null;
  }

  /** How many entries a list has. */
  countOf(list: number): number {
    return this.#lists[-2 - list] as number;
  }

  /** One of the entries of a list. */
  entryOf(list: number, nth: number): number {
    return this.#lists[2 * nth - 1 - list] as number;
  }

  /** The key without which the rule of an entry is not a candidate; `NO_KEY` if it has no guard. */
  guardOf(list: number, nth: number): number {
    return this.#lists[2 * nth - list] as number;
  }
}

const entry = ({ member, isCertain }: Posting, offsetOf: OffsetOf): number =>
  entryOf(offsetOf(member.rule), isCertain);

/** Whether an entry needs a guard: a rule that matches for certain has nothing left to ask. */
const isGuarded = (posting: Posting): posting is Posting & { readonly guard: Key } =>
  posting.guard !== null && !posting.isCertain;

/** Whether a posting is one entry; otherwise it is a list, or an inner index. */
export const isEntry = (posting: number): boolean => posting >= 0;

const layOutRanges = ({ byRange }: IndexPlan, offsetOf: OffsetOf): readonly PathRanges[] =>
  Array.from(byRange, ([path, postings]) => ({ path: path.id, ranges: new Ranges(postings, offsetOf) }));

const layOutAlways = ({ always }: IndexPlan, offsetOf: OffsetOf): Int32Array =>
  Int32Array.from(always, ({ rule, holds }) => entryOf(offsetOf(rule), holds)).sort();
