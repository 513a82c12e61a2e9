/** Finds texts in a subject: a window slides over it, once for all texts whose grams have one size. */
import type { GramPass, Layout } from '../layout/index.js';
import { EpochSet } from '../epoch-set.js';
import type { FoundKeys } from './found-keys.js';
import type { Probe } from './probe.js';
import type { Reading } from './reading.js';

/** Texts compared with one subject before it is counted how often each gram is met. */
const FREE_COMPARISONS = 256;

/** Times that a gram may be met after that before its texts are searched for one by one. */
const MOST_MEETINGS = 16;

/** A matcher has one. It forgets a subject when it is given the next. */
export class TextSearch {
  readonly #found: FoundKeys;
  readonly #probe: Probe | null;
  /** Texts compared with this subject. */
  #compared = 0;
  /** Grams met in this subject, by the cell of the first text that has each, and how often. */
  readonly #met: EpochSet;
  readonly #meetings: Uint8Array;
  /** Grams all of whose texts are decided. */
  readonly #settled: EpochSet;

  /** @param found - Keys are added to it. */
  constructor({ paths }: Layout, found: FoundKeys, probe: Probe | null) {
    const largest = paths.reduce(
      (most, { texts }) => texts.reduce((most, { count }) => Math.max(most, count), most),
      0,
    );
    this.#found = found;
    this.#probe = probe;
    this.#met = new EpochSet(largest);
    this.#meetings = new Uint8Array(largest);
    this.#settled = new EpochSet(largest);
  }

  find(pass: GramPass, subject: string, reading: Reading): void {
    const { filter } = pass.table;
    const window = { hash: 0, shift: pass.shift };
    this.#compared = 0;
    for (
      let end = filter.slideTo(subject, 0, window);
      end <= subject.length;
      end = filter.slideTo(subject, end, window)
    ) {
      if (end >= pass.size) this.#look(pass, window.hash, subject, end - pass.size, reading);
    }
    if (this.#probe !== null) this.#probe.units += subject.length;
  }

  /** Compares the texts whose gram may begin at a position of the subject. */
  #look(pass: GramPass, hash: number, subject: string, start: number, reading: Reading): void {
    if (this.#probe !== null) this.#probe.lookUps++;
    const { table } = pass;
    const first = table.first(hash);
    if (first < 0) return;
    if (this.#compared >= FREE_COMPARISONS) {
      this.#lookOften(pass, first, subject, start, reading);
      return;
    }
    for (let cell = first; cell >= 0; cell = table.after(cell)) {
      this.#compared++;
      if (pass.occursAt(cell, subject, start)) this.#found.add(pass.keyOf(cell));
    }
    if (this.#compared >= FREE_COMPARISONS) {
      this.#met.clear();
      this.#settled.clear();
    }
  }

  /** The same in a subject that meets grams again and again: each of them is compared a few times, then decided. */
  #lookOften(pass: GramPass, first: number, subject: string, start: number, reading: Reading): void {
    if (this.#settled.has(first)) return;
    const meetings = this.#met.add(first) ? 1 : (this.#meetings[first] as number) + 1;
    this.#meetings[first] = meetings;
    const compares = meetings <= MOST_MEETINGS;
    let isSettled = true;
    for (let cell = first; cell >= 0; cell = pass.table.after(cell)) {
      const key = pass.keyOf(cell);
      if (this.#found.has(key)) continue;
      const occurs = compares
        ? pass.occursAt(cell, subject, start)
        : reading.subjects.texts.has(subject, pass.textAt(cell));
      if (occurs) this.#found.add(key);
      else if (compares) isSettled = false;
    }
    if (isSettled) this.#settled.add(first);
  }
}
