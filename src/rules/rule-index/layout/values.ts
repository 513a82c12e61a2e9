/** Keys of values, and of the elements that `contains` looks for: one look-up, whatever the number of values. */
import type { Key, ValueKeys } from '../plan/index.js';
import { HashTable, extend } from './hash-table.js';
import { NO_KEY, type KeyNumbers } from './key-numbers.js';

/** UTF-16 units of a string up to which the table hashes it. */
const LONGEST_HASHED = 64;

/** Values of one hash that a look-up may have to compare. */
const MOST_ALIKE = 8;

/** No rule asks for such a value. */
const NO_SPACE = -1;

/**
 * The values that rules compare one subject, or its elements, with. Each kind of them has a space of its own in the
 * {@link ValueTable}. Immutable.
 */
export class Values {
  readonly #table: ValueTable;
  readonly #scalars: number;
  readonly #spellings: number;
  readonly #structures: number;
  /** Whether rules compare with a number, so that a string has to be looked up by the number that it spells. */
  readonly hasNumbers: boolean;

  /** @param table - Is filled with these values by the time that one is looked up. */
  constructor(table: ValueTable, { scalars, spellings, structures }: ValueKeys) {
    this.#table = table;
    this.#scalars = table.addSpace(scalars);
    this.#spellings = spellings === null ? NO_SPACE : table.addSpace(spellings);
    this.#structures = structures === null ? NO_SPACE : table.addSpace(structures);
    this.hasNumbers = Array.from(scalars.keys()).some((value) => typeof value === 'number');
  }

  get hasSpellings(): boolean {
    return this.#spellings !== NO_SPACE;
  }

  get hasStructures(): boolean {
    return this.#structures !== NO_SPACE;
  }

  /** The number of the key of a scalar; `NO_KEY` if no rule compares with it, as below. */
  scalar(value: unknown): number {
    return this.#table.find(this.#scalars, value);
  }

  /** The number of the key of strings that spell a number. */
  spelling(number: number): number {
    return this.#table.find(this.#spellings, number);
  }

  /** The number of the key of a structure, by its number. */
  structure(number: number): number {
    return this.#table.find(this.#structures, number);
  }
}

/**
 * The scalars that rules compare with, at all paths. The layout adds one space of them after the other, then seals the
 * table; events look up in it from then on.
 *
 * A space with a long string, or with more values of one hash than chance explains, so that somebody must have chosen
 * them, is kept in a map instead: that is slower, but no choice of values makes it slower still.
 */
export class ValueTable {
  #keys: Key[] = [];
  #spaces = new Int32Array(0);
  #spaceOf: number[] = [];
  #spaceCount = 0;
  #table: HashTable = HashTable.of(new Int32Array(0)).table;
  /** By cell. */
  #values: readonly unknown[] = [];
  #firstKey = 0;
  /** Numbers of keys by space and value, for the spaces that are not in the table; `null` if all are. */
  #maps: ReadonlyMap<number, ReadonlyMap<unknown, number>> | null = null;

  addSpace(keys: ReadonlyMap<unknown, Key>): number {
    for (const key of keys.values()) {
      this.#keys.push(key);
      this.#spaceOf.push(this.#spaceCount);
    }
    return this.#spaceCount++;
  }

  seal(numbers: KeyNumbers): void {
    const mapped = this.#spacesToMap();
    const entries = this.#spaceOf.flatMap((space, entry) => (mapped.has(space) ? [] : [entry]));
    const { table, order } = HashTable.of(Int32Array.from(entries, (entry) => this.#hashOf(entry)));
    const cells = Array.from(order, (nth) => entries[nth] as number);
    const keys = this.#keys;
    this.#table = table;
    this.#values = cells.map((entry) => (keys[entry] as Key).sought);
    this.#spaces = Int32Array.from(cells, (entry) => this.#spaceOf[entry] as number);
    this.#firstKey = numbers.add(cells.map((entry) => keys[entry] as Key));
    if (mapped.size > 0) this.#maps = this.#mapsOf(mapped, numbers);
    this.#keys = [];
    this.#spaceOf = [];
  }

  /** The number of the key of a scalar; `NO_KEY` if no rule compares with it. */
  find(space: number, value: unknown): number {
    const map = this.#maps?.get(space);
    if (map !== undefined) return map.get(value) ?? NO_KEY;
    if (typeof value === 'string' && value.length > LONGEST_HASHED) return NO_KEY;
    const hash = hashOf(space, value);
    if (!this.#table.mayHave(hash)) return NO_KEY;
    for (let cell = this.#table.first(hash); cell >= 0; cell = this.#table.after(cell)) {
      if (this.#values[cell] === value && this.#spaces[cell] === space) return this.#firstKey + cell;
    }
    return NO_KEY;
  }

  #hashOf(entry: number): number {
    return hashOf(this.#spaceOf[entry] as number, (this.#keys[entry] as Key).sought);
  }

  /** Spaces with a value that the table is not made for. */
  #spacesToMap(): ReadonlySet<number> {
    const mapped = new Set<number>();
    const hashes = Int32Array.from(this.#keys, (_, entry) => this.#hashOf(entry));
    const sorted = hashes.slice().sort();
    const crowded = new Set(sorted.filter((hash, at) => sorted[at + MOST_ALIKE] === hash));
    this.#keys.forEach(({ sought }, entry) => {
      const isLong = typeof sought === 'string' && sought.length > LONGEST_HASHED;
      if (isLong || (crowded.size > 0 && crowded.has(hashes[entry] as number))) {
        mapped.add(this.#spaceOf[entry] as number);
      }
    });
    return mapped;
  }

  #mapsOf(spaces: ReadonlySet<number>, numbers: KeyNumbers): ReadonlyMap<number, Map<unknown, number>> {
    const maps = new Map(Array.from(spaces, (space) => [space, new Map<unknown, number>()]));
    this.#keys.forEach((key, entry) => {
      maps.get(this.#spaceOf[entry] as number)?.set(key.sought, numbers.add([key]));
    });
    return maps;
  }
}

const float = new Float64Array(1);
const halves = new Int32Array(float.buffer);

/** The hash of a scalar in a space. Booleans and `null` are told apart when they are compared. */
function hashOf(space: number, value: unknown): number {
  let hash = 0;
  if (typeof value === 'string') {
    const length = Math.min(value.length, LONGEST_HASHED);
    for (let at = 0; at < length; at++) hash = extend(hash, value.charCodeAt(at));
  } else if (typeof value === 'number') {
    float[0] = value + 0; // so that -0 has the hash of 0, which it equals
    hash = (halves[0] as number) ^ Math.imul(halves[1] as number, 0x85ebca6b);
  }
  return hash ^ Math.imul(space + 1, 0xc2b2ae35);
}
