/** Keys and ranges → candidates. */
import { ManyValues, beginsAsNumber, numberSpelled } from '../../values/index.js';
import {
  NO_KEY,
  NO_POSTING,
  isEntry,
  type IndexLayout,
  type Layout,
  type PathRanges,
} from '../layout/index.js';
import { Candidates } from './candidates.js';
import type { FoundKeys } from './found-keys.js';
import type { Probe } from './probe.js';
import type { Reading } from './reading.js';

/** Collects the candidates of one event after the other. A matcher has one. */
export class CandidateFinder {
  readonly #layout: Layout;
  readonly #candidates: Candidates;
  readonly #probe: Probe | null;

  constructor(layout: Layout, probe: Probe | null) {
    this.#layout = layout;
    this.#candidates = new Candidates(layout.records.blocks, layout.postings.root.always);
    this.#probe = probe;
  }

  /** Forgets the event. */
  clear(): void {
    this.#candidates.clear();
  }

  /** The rules that an event may match, in order. */
  find(found: FoundKeys, reading: Reading): Candidates {
    const { postings, budgets } = this.#layout;
    budgets.eachOver(reading.longest, this.#tryOffset);
    for (let i = 0; i < found.count; i++) {
      const posting = postings.of(found.at(i));
      if (posting !== NO_POSTING) this.#follow(posting, found, reading);
    }
    this.#stab(postings.root.ranges, reading);
    this.#candidates.sort();
    if (this.#probe !== null) this.#probe.entries += postings.root.always.length;
    return this.#candidates;
  }

  readonly #tryOffset = (offset: number): void => {
    this.#candidates.addOffset(offset);
  };

  readonly #meet = (entry: number): void => {
    if (this.#probe !== null) this.#probe.entries++;
    this.#candidates.add(entry);
  };

  /** Collects the rules that a posting leads to: one entry, an inner index, or a list of entries. */
  #follow(posting: number, found: FoundKeys, reading: Reading): void {
    const { postings } = this.#layout;
    if (isEntry(posting)) {
      this.#meet(posting);
      return;
    }
    const inner = postings.innerOf(posting);
    if (inner !== null) {
      this.#searchInner(inner, found, reading);
      return;
    }
    const count = postings.countOf(posting);
    for (let nth = 0; nth < count; nth++) {
      const guard = postings.guardOf(posting, nth);
      if (guard === NO_KEY || found.has(guard)) this.#meet(postings.entryOf(posting, nth));
      else if (this.#probe !== null) this.#probe.entries++;
    }
  }

  /** Collects the rules of an inner index. Goes through its keys or the keys found, whichever are fewer. */
  #searchInner({ posted, ranges, always }: IndexLayout, found: FoundKeys, reading: Reading): void {
    if (this.#probe !== null) this.#probe.lookUps += Math.min(posted.size, found.count);
    if (posted.size < found.count) {
      for (const [key, posting] of posted) {
        if (found.has(key)) this.#follow(posting, found, reading);
      }
    } else {
      for (let i = 0; i < found.count; i++) {
        const posting = posted.get(found.at(i));
        if (posting !== undefined) this.#follow(posting, found, reading);
      }
    }
    this.#stab(ranges, reading);
    for (const entry of always) this.#meet(entry);
  }

  /** Collects the rules whose ranges may hold the event's values. */
  #stab(some: readonly PathRanges[], reading: Reading): void {
    for (const { path, ranges } of some) {
      const subject = reading.values.at(path);
      if (!(subject instanceof ManyValues)) this.#stabOne(ranges, subject, reading);
      else for (const extreme of subject.extremes) this.#stabOne(ranges, extreme, reading);
    }
  }

  #stabOne(ranges: PathRanges['ranges'], subject: unknown, reading: Reading): void {
    if (typeof subject === 'number') {
      ranges.numbers.stab(subject, this.#meet);
    } else if (typeof subject === 'string') {
      const number = beginsAsNumber(subject) ? numberSpelled(subject, reading) : undefined;
      if (number !== undefined) ranges.numbers.stab(number, this.#meet);
      ranges.stabText(subject, this.#meet);
    }
  }
}
