/**
 * Rules whose patterns might exceed their work budget on an event. The index neither skips such a rule nor shares
 * answers with it: the rule is evaluated by itself, so that its budget ends where it would end without an index.
 */
import type { Key, Plan } from '../plan/index.js';
import type { RecordOffsets } from './records.js';

/** The work that the patterns of each rule can take. Immutable. */
export class BudgetGuard {
  /** The share of its budget that each rule may spend for each unit of its longest subject: its *burden*. */
  readonly #burdens: Float64Array;
  /** Rules with a burden, the heaviest first. */
  readonly #heaviest: Int32Array;
  readonly #offsets: RecordOffsets;
  /** UTF-16 units of a subject up to which no rule exceeds its budget. */
  readonly #harmless: number;
  /** The burdens of all leaves with patterns that are charged, added up by the number of their path. */
  readonly #paths = new Map<number, number>();
  /** The burden of the least burdened rule with a pattern, by the pattern's key. */
  readonly #least = new Map<Key, number>();

  constructor({ rules }: Plan, offsets: RecordOffsets) {
    this.#offsets = offsets;
    const burdens = Float64Array.from(rules, ({ steps }) =>
      steps.reduce((sum, { leaf }) => sum + leaf.burden, 0),
    );
    const burdened = Int32Array.from(rules.keys()).filter((rule) => (burdens[rule] as number) > 0);
    this.#burdens = burdens;
    this.#heaviest = burdened.sort((a, b) => this.#byBurden(a, b));
    this.#harmless = 1 / (burdens[this.#heaviest[0] ?? -1] ?? 0);
    for (const rule of burdened) {
      for (const { leaf } of (rules[rule] as Plan['rules'][number]).steps) {
        if (leaf.burden > 0) this.#note(leaf, burdens[rule] as number);
      }
    }
  }

  #byBurden(a: number, b: number): number {
    const [burden, other] = [this.#burdens[a] as number, this.#burdens[b] as number];
    return burden === other ? 0 : other - burden;
  }

  #note({ path, heldBy, burden: own }: Plan['leaves'][number], burden: number): void {
    this.#paths.set(path.id, (this.#paths.get(path.id) ?? 0) + own);
    for (const key of heldBy ?? []) this.#least.set(key, Math.min(this.#least.get(key) ?? Infinity, burden));
  }

  /** Whether any rule has a burden. */
  get hasBurdens(): boolean {
    return this.#heaviest.length > 0;
  }

  /** The burden of the least burdened rule with a pattern; 0 for a pattern that costs nothing. */
  leastBurden(pattern: Key): number {
    return this.#least.get(pattern) ?? 0;
  }

  /**
   * Whether a subject is long enough that a rule might exceed its budget.
   *
   * @param length - UTF-16 units of the subject.
   */
  isLong(path: number, length: number): boolean {
    return length > this.#harmless && this.#paths.has(path);
  }

  /**
   * The share of a rule's budget that a subject can cost all rules together.
   *
   * @param length - UTF-16 units of the subject.
   */
  shareOf(path: number, length: number): number {
    return length === 0 ? 0 : (this.#paths.get(path) ?? 0) * length; // a burden can be infinite
  }

  /** The numbers of the rules that have a burden. */
  burdened(): readonly number[] {
    return Array.from(this.#heaviest);
  }

  /** Whether a rule might exceed its budget if the longest subject has this many units. */
  isOver(rule: number, longest: number): boolean {
    return longest > 0 && (this.#burdens[rule] as number) * longest > 1;
  }

  /** Calls back with the offset of the record of each rule that might exceed its budget. */
  eachOver(longest: number, meet: (offset: number) => void): void {
    for (const rule of this.#heaviest) {
      if (!this.isOver(rule, longest)) return;
      meet(this.#offsets.of(rule));
    }
  }
}
