/**
 * Keys of `contains`, and of the texts that patterns need.
 *
 * Each text is known by one of its grams: as many units as the largest power of two that fits, taken where it is rarest
 * among all texts. A window of that size slides over the subject. If its hash is the hash of a gram, the whole text is
 * compared.
 */
import type { Key } from '../plan/index.js';
import { GramCounts } from './gram-counts.js';
import { HashTable, extend, slide } from './hash-table.js';
import type { KeyNumbers } from './key-numbers.js';

/** UTF-16 units of the largest gram. */
const LARGEST_GRAM = 8;

/** A gram size gets a pass of its own from this many texts on. Fewer texts join the next smaller size in use. */
const WORTH_A_PASS = 32;

/** Texts by the size of their grams. */
export const gramPasses = (keys: readonly Key[], numbers: KeyNumbers): readonly GramPass[] =>
  bySize(keys).map(([size, some]) => new GramPass(size, some, numbers));

const textOf = ({ sought }: Key): string => sought as string;

function bySize(keys: readonly Key[]): readonly (readonly [number, readonly Key[]])[] {
  const sizes: [number, Key[]][] = [];
  for (let size = LARGEST_GRAM; size >= 1; size /= 2) {
    const isOfSize = ({ length }: string): boolean =>
      length >= size && (length < 2 * size || size === LARGEST_GRAM);
    sizes.push([size, keys.filter((key) => isOfSize(textOf(key)))]);
  }
  sizes.forEach(([, some], i) => {
    const smaller = sizes.slice(i + 1).find(([, others]) => others.length > 0);
    if (some.length < WORTH_A_PASS && smaller !== undefined) smaller[1].push(...some.splice(0));
  });
  return sizes.filter(([, some]) => some.length > 0);
}

/** A part of a text: the hash of its units, and its position in the text. */
interface Gram {
  readonly hash: number;
  readonly position: number;
}

/** Units of the part of a text that is checked before the whole text is compared. */
const CHECKED = 8;

/**
 * Numbers for each cell: where the text begins, where its checked part begins, how many units that has, and their hash.
 */
const NUMBERS = 4;

/** The texts that are known by grams of one size: one pass over a subject finds them. Immutable. */
export class GramPass {
  /** Units of a gram. */
  readonly size: number;
  /** Bits by which a hash moves with each unit: a unit is gone when it has left the window. */
  readonly shift: number;
  readonly table: HashTable;
  /** How many texts there are. */
  readonly count: number;
  /** By cell. */
  readonly #texts: readonly string[];
  /** By cell: what most comparisons need, side by side. Positions are relative to the gram. */
  readonly #checks: Int32Array;
  readonly #firstKey: number;

  constructor(size: number, keys: readonly Key[], numbers: KeyNumbers) {
    this.size = size;
    this.shift = 32 / size;
    this.count = keys.length;
    const grams = this.#chooseGrams(keys.map(textOf));
    const { table, order } = HashTable.of(Int32Array.from(grams, ({ hash }) => hash));
    const ordered = Array.from(order, (entry) => keys[entry] as Key);
    this.table = table;
    this.#texts = ordered.map(textOf);
    this.#checks = new Int32Array(NUMBERS * keys.length);
    this.#texts.forEach((text, cell) => {
      const { position } = grams[order[cell] as number] as Gram;
      this.#checks.set(checkOf(text, position, size), NUMBERS * cell);
    });
    this.#firstKey = numbers.add(ordered);
  }

  /** The text in a cell. */
  textAt(cell: number): string {
    return this.#texts[cell] as string;
  }

  /** Whether the text in a cell occurs in a subject so that its gram begins at a position. */
  occursAt(cell: number, subject: string, gram: number): boolean {
    const checks = this.#checks;
    const at = NUMBERS * cell;
    const start = gram + (checks[at] as number);
    const from = gram + (checks[at + 1] as number);
    const to = from + (checks[at + 2] as number);
    if (start < 0 || to > subject.length || hashOfPart(subject, from, to) !== checks[at + 3]) return false;
    return subject.startsWith(this.textAt(cell), start);
  }

  /** The number of the key of the text in a cell. */
  keyOf(cell: number): number {
    return this.#firstKey + cell;
  }

  /** The rarest gram of each text. */
  #chooseGrams(texts: readonly string[]): readonly Gram[] {
    const counts = new GramCounts();
    for (const text of texts) this.#eachGram(text, (hash) => counts.add(hash));
    return texts.map((text) => {
      let rarest = Infinity;
      let chosen: Gram = { hash: 0, position: 0 };
      this.#eachGram(text, (hash, position) => {
        const count = counts.of(hash);
        if (count >= rarest) return;
        rarest = count;
        chosen = { hash, position };
      });
      return chosen;
    });
  }

  #eachGram(text: string, see: (hash: number, position: number) => void): void {
    const before = this.size - 1;
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = slide(hash, this.shift, text.charCodeAt(at));
      if (at >= before) see(hash, at - before);
    }
  }
}

/** The numbers of a text's cell. It is checked at the end that is farther from its gram. */
function checkOf(text: string, position: number, size: number): readonly number[] {
  const count = Math.min(CHECKED, text.length);
  const from = position > text.length - size - position ? 0 : text.length - count;
  return [-position, from - position, count, hashOfPart(text, from, from + count)];
}

function hashOfPart(text: string, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = extend(hash, text.charCodeAt(at));
  return hash;
}
