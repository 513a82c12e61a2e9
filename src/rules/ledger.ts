/**
 * Rules that ask patterns, tried in evaluation order on one event whose budget might not suffice for all of them.
 *
 * Which leaves stay undecided depends on the work of the rules before. So whatever asks about a rule, the rules before
 * it are tried first, as they would be without an index.
 */
import type { Compile, PatternLimit } from './decision.js';
import { Subjects } from './values/index.js';
import { Purse } from './purse.js';
import type { Rule } from './rule.js';

/** The answer for one rule. */
interface Tried {
  readonly matches: boolean;
  readonly limits: readonly PatternLimit[];
}

/** Made for one event, and discarded with it. */
export class Ledger {
  readonly #event: unknown;
  readonly #pending: Iterator<Rule>;
  readonly #compile: Compile;
  readonly #purse: Purse;
  readonly #subjects = new Subjects();
  readonly #tried = new Map<Rule, Tried>();

  /** @param rules - All in service whose patterns are charged, in evaluation order. */
  constructor(event: unknown, rules: readonly Rule[], compile: Compile) {
    this.#event = event;
    this.#pending = rules.values();
    this.#compile = compile;
    this.#purse = new Purse(compile.eventBudget);
  }

  /** Whether one of the rules matches; what meets a budget is added to `limits`. */
  matches(rule: Rule, limits: PatternLimit[]): boolean {
    let tried = this.#tried.get(rule);
    while (tried === undefined) {
      this.#tryNext();
      tried = this.#tried.get(rule);
    }
    for (const limit of tried.limits) limits.push(limit);
    return tried.matches;
  }

  #tryNext(): void {
    const rule = this.#pending.next().value as Rule;
    const limits: PatternLimit[] = [];
    const matches = this.#compile(rule).matches(this.#event, limits, this.#purse, this.#subjects);
    this.#tried.set(rule, { matches, limits });
  }
}
