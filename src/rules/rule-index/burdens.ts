/**
 * Rules whose patterns might exceed their work budget on an event. The index neither skips such a rule nor shares its
 * leaves' answers: the rule is evaluated by itself, so that its budget ends where it would end without an index.
 */
import type { Leaves } from './leaves.js';
import type { PathReader } from './paths.js';
import type { ProgramBuilder } from './programs.js';

/** The work that the patterns of each rule can take. */
export class Burdens {
  /** The share of its budget that a rule may spend for each unit of its longest subject. */
  readonly #burdens: Float64Array;
  /** Rules with a burden, the heaviest first. */
  readonly #heaviest: readonly { readonly rule: number; readonly place: number; readonly burden: number }[];
  /** UTF-16 units of a subject up to which no rule exceeds its budget. */
  readonly #harmless: number;
  /** The paths of leaves whose patterns are charged. */
  readonly #paths: ReadonlySet<number>;
  /** The least burden of a rule with a pattern, by the pattern's key. */
  readonly #least = new Map<number, number>();

  constructor(rules: number, leaves: Leaves, programs: ProgramBuilder) {
    const burdens = new Float64Array(rules);
    const paths = new Set<number>();
    eachBurdened(rules, leaves, programs, (rule, leaf) => {
      burdens[rule] = (burdens[rule] as number) + leaves.burdenOf(leaf);
      paths.add(leaves.pathOf(leaf));
    });
    eachBurdened(rules, leaves, programs, (rule, leaf) => {
      const key = leaves.tellingKey(leaf, 0);
      this.#least.set(key, Math.min(this.#least.get(key) ?? Infinity, burdens[rule] as number));
    });
    this.#burdens = burdens;
    this.#paths = paths;
    this.#heaviest = Array.from(burdens, (burden, rule) => ({ rule, burden, place: programs.placeOf(rule) }))
      .filter(({ burden }) => burden > 0)
      .sort((a, b) => (a.burden === b.burden ? 0 : b.burden - a.burden));
    this.#harmless = 1 / (this.#heaviest[0]?.burden ?? 0);
  }

  /** The burden of the least burdened rule with a pattern, by the pattern's key; 0 for a pattern that costs nothing. */
  least(key: number): number {
    return this.#least.get(key) ?? 0;
  }

  /** UTF-16 units of the longest string that a pattern looks at; 0 where every rule's budget suffices. */
  longestSubject(event: PathReader): number {
    let longest = 0;
    if (this.#paths.size === 0) return longest;
    for (let i = 0; i < event.count; i++) {
      const path = event.at(i);
      const subject = event.value(path);
      if (typeof subject !== 'string' || subject.length <= this.#harmless || !this.#paths.has(path)) continue;
      longest = Math.max(longest, subject.length);
    }
    return longest;
  }

  /** Whether a rule might exceed its budget where the longest subject has so many units. */
  isOver(rule: number, longest: number): boolean {
    return longest > 0 && (this.#burdens[rule] as number) * longest > 1;
  }

  /** Calls back with the place of each rule that might exceed its budget. */
  eachOver(longest: number, meet: (place: number) => void): void {
    for (const { rule, place } of this.#heaviest) {
      if (!this.isOver(rule, longest)) return;
      meet(place);
    }
  }
}

/** Calls back with each rule and each of its leaves whose pattern is charged. */
function eachBurdened(
  rules: number,
  leaves: Leaves,
  programs: ProgramBuilder,
  meet: (rule: number, leaf: number) => void,
): void {
  for (let rule = 0; rule < rules; rule++) {
    for (let place = 0; place < programs.size(rule); place++) {
      const leaf = programs.leaf(rule, place);
      if (leaves.burdenOf(leaf) > 0) meet(rule, leaf);
    }
  }
}
