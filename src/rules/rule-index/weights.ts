/** How selective leaves are among some rules, measured on what the rules themselves ask for. */
import type { OrderLeaf } from '../rule.js';
import { type Cover, type RangeAccess, type Scales } from './cover.js';
import type { Leaves } from './leaves.js';
import { TextOrder, numberOf } from './ranges.js';
import { Stamps } from './stamps.js';

/** Values that no rule asks for are thought to be as common as this many that one rule asks for. */
const UNASKED = 4;

/** An interval costs more to find than a key. */
const RANGE_COST = 2;

/** Counts that are reset at no cost. */
class Counts {
  readonly #counts: Int32Array;
  readonly #counted: Stamps;

  constructor(size: number) {
    this.#counts = new Int32Array(size);
    this.#counted = new Stamps(size);
  }

  clear(): void {
    this.#counted.clear();
  }

  add(index: number): void {
    this.#counts[index] = this.of(index) + 1;
    this.#counted.add(index);
  }

  of(index: number): number {
    return this.#counted.has(index) ? (this.#counts[index] as number) : 0;
  }
}

/**
 * A key is thought to be as common among events as among the rules: where half of the rules that compare a type want
 * `push`, half of the events are pushes. A range is as likely to be met as the share of known bounds that it spans.
 */
export class Weights implements Scales {
  readonly #leaves: Leaves;
  readonly #uses: Counts;
  readonly #groupUses: Counts;
  readonly #bounds = new Map<number, Bounds>();

  constructor(leaves: Leaves) {
    this.#leaves = leaves;
    this.#uses = new Counts(leaves.keys.count);
    this.#groupUses = new Counts(leaves.keys.groupCount);
  }

  /** Starts anew, with the leaves of other rules. */
  clear(): void {
    this.#uses.clear();
    this.#groupUses.clear();
    this.#bounds.clear();
  }

  /**
   * Counts a leaf of a rule.
   *
   * @returns The work: one for the leaf and one for each of its keys.
   */
  count(leaf: number): number {
    let work = 1;
    for (const clause of this.#leaves.clausesOf(leaf)) {
      work += clause.length;
      for (const key of clause) {
        this.#uses.add(key);
        this.#groupUses.add(this.#leaves.keys.groupOf(key));
      }
    }
    const asked = this.#leaves.leaf(leaf);
    if (isOrder(asked)) this.#countBound(this.#leaves.pathOf(leaf), asked.value);
    return work;
  }

  #countBound(path: number, bound: OrderLeaf['value']): void {
    let bounds = this.#bounds.get(path);
    if (bounds === undefined) this.#bounds.set(path, (bounds = new Bounds()));
    bounds.add(bound);
  }

  leaf(leaf: number): Cover | null {
    const clauses = this.#leaves.clausesOf(leaf);
    let lightest: Cover | null = null;
    for (const keys of clauses) {
      let weight = 0;
      for (const key of keys) weight += this.#key(key);
      if (lightest === null || weight < lightest.weight) lightest = { weight, accesses: [{ leaf, keys }] };
    }
    return lightest ?? this.#loneBound(leaf);
  }

  #key(key: number): number {
    const keys = this.#leaves.keys;
    const share = this.#uses.of(key) / (this.#groupUses.of(keys.groupOf(key)) + UNASKED);
    return Math.max(share, keys.priorOf(key));
  }

  #loneBound(leaf: number): Cover | null {
    const asked = this.#leaves.leaf(leaf);
    if (!isOrder(asked)) return null;
    const isLower = asked.op === 'gt' || asked.op === 'gte';
    const path = this.#leaves.pathOf(leaf);
    return this.range({ path, lower: isLower ? leaf : undefined, upper: isLower ? undefined : leaf });
  }

  range(range: RangeAccess): Cover {
    const [lower, upper] = [range.lower, range.upper].map((leaf) =>
      leaf === undefined ? undefined : (this.#leaves.leaf(leaf) as OrderLeaf).value,
    );
    const share = (this.#bounds.get(range.path) as Bounds).share(lower, upper);
    return { weight: RANGE_COST * share, accesses: [range] };
  }
}

const isOrder = (leaf: { readonly op: string }): leaf is OrderLeaf =>
  leaf.op === 'gt' || leaf.op === 'gte' || leaf.op === 'lt' || leaf.op === 'lte';

/** All bounds that rules set on one path. */
class Bounds {
  readonly #numbers: number[] = [];
  readonly #texts: string[] = [];
  #sorted: { readonly numbers: Float64Array; readonly texts: TextOrder } | null = null;

  add(bound: OrderLeaf['value']): void {
    const number = numberOf(bound);
    if (number === undefined) this.#texts.push(bound as string);
    else this.#numbers.push(number);
  }

  /** Which share of the bounds lies between two, or beyond one. */
  share(lower: OrderLeaf['value'] | undefined, upper: OrderLeaf['value'] | undefined): number {
    this.#sorted ??= { numbers: Float64Array.from(this.#numbers).sort(), texts: new TextOrder(this.#texts) };
    const { numbers, texts } = this.#sorted;
    const [low, high] = [lower, upper].map((bound) => (bound === undefined ? undefined : numberOf(bound)));
    if (low === undefined && high === undefined) {
      const [first, last] = [lower, upper].map((bound) =>
        bound === undefined ? undefined : texts.placeOf(bound as string),
      );
      return span(first ?? 0, last ?? texts.places, texts.places);
    }
    const first = low === undefined ? 0 : placeIn(numbers, low);
    const last = high === undefined ? numbers.length : placeIn(numbers, high);
    return span(first, last, numbers.length);
  }
}

const span = (first: number, last: number, count: number): number =>
  (Math.max(0, last - first) + 1) / (count + UNASKED);

/** How many sorted numbers are below one. */
function placeIn(sorted: Float64Array, number: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
