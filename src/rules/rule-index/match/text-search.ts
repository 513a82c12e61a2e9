/** Finds texts in a subject: a window slides over it, once for all texts whose grams have one size. */
import { slide, type GramPass, type Layout } from '../layout/index.js';
import { EpochSet } from './epoch-set.js';
import type { FoundKeys } from './found-keys.js';
import type { Probe } from './probe.js';
import type { Reading } from './reading.js';

/** Times that a gram may be met in one subject before its texts are searched for one by one. */
const MOST_COMPARISONS = 16;

/** A matcher has one. It forgets a subject when it is given the next. */
export class TextSearch {
  readonly #found: FoundKeys;
  readonly #probe: Probe | null;
  /** Grams met in this subject, by the slot of the first text that has each, and how often. */
  readonly #met: EpochSet;
  readonly #meetings: Uint8Array;
  /** Grams all of whose texts are decided. */
  readonly #settled: EpochSet;

  /** @param found - Where keys are added. */
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
    const { table, shift } = pass;
    const before = pass.size - 1;
    this.#met.clear();
    this.#settled.clear();
    let hash = 0;
    for (let at = 0; at < subject.length; at++) {
      hash = slide(hash, shift, subject.charCodeAt(at));
      if (table.mayHave(hash) && at >= before) this.#look(pass, hash, subject, at - before, reading);
    }
    if (this.#probe !== null) this.#probe.units += subject.length;
  }

  /** Compares the texts whose gram may begin at a place of the subject. */
  #look(pass: GramPass, hash: number, subject: string, start: number, reading: Reading): void {
    if (this.#probe !== null) this.#probe.lookUps++;
    const first = pass.table.first(hash);
    if (first < 0 || this.#settled.has(first)) return;
    const meetings = this.#met.add(first) ? 1 : (this.#meetings[first] as number) + 1;
    this.#meetings[first] = meetings;
    const compares = meetings <= MOST_COMPARISONS;
    let isSettled = true;
    for (let slot = first; slot >= 0; slot = pass.table.after(slot)) {
      const key = pass.placeOf(slot);
      if (this.#found.has(key)) continue;
      const text = pass.textAt(slot);
      const occurs = compares
        ? subject.startsWith(text, start - pass.offsetAt(slot))
        : reading.subjects.texts.has(subject, text);
      if (occurs) this.#found.add(key);
      else if (compares) isSettled = false;
    }
    if (isSettled) this.#settled.add(first);
  }
}
