/** Rules with an index over them. It decides as trying each rule in turn does. */
import type { PatternOptions } from '../../patterns/index.js';
import type { Compile, Matching } from '../decision.js';
import type { Ledger } from '../ledger.js';
import type { Rule } from '../rule.js';
import { layOutPlan, type Layout } from './layout/index.js';
import { Matcher, type Gone, type Probe } from './match/index.js';
import { describePlan, planRules, type Plan, type RuleAccess } from './plan/index.js';

/** The options and functions that all segments of a rule set share. */
export interface CompileContext {
  readonly options: PatternOptions;
  readonly compile: Compile;
  /** Counts the work of matching; `null` for rule sets in service. */
  readonly probe: Probe | null;
}

/**
 * Rules in evaluation order, by number, and the index that finds those matching an event. Immutable but for a spare.
 */
export class Segment {
  readonly rules: readonly Rule[];
  readonly #context: CompileContext;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #layout: Layout;
  /**
   * A matcher that is not in use. It is taken out during a run: a getter that evaluates another event gets a matcher of
   * its own. It is put back only after a run that did not throw, so that no state of a failed run reaches the next
   * event.
   */
  #spare: Matcher | null = null;

  /** @param rules - Valid, in evaluation order. */
  constructor(rules: readonly Rule[], context: CompileContext) {
    this.rules = rules;
    this.#context = context;
    this.#numbers = new Map(rules.map(({ id }, number) => [id, number]));
    this.#layout = layOutPlan(this.#plan(), context.options);
  }

  /**
   * The plan that the layout was made of. It takes more memory than the layout, so it is made again: it is the same.
   */
  #plan(): Plan {
    return planRules(this.rules, this.#context.options);
  }

  /** The number of the rule with an id; `undefined` if no rule has it. */
  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** How each rule is found, in order. */
  describe(layer: number): readonly RuleAccess[] {
    return describePlan(this.#plan(), layer);
  }

  /** The rules whose patterns are charged, by number. */
  burdened(): readonly number[] {
    return this.#layout.budgets.burdened();
  }

  /** The share of a rule's budget that all rules together can spend on an event. */
  demandOf(event: unknown): number {
    return this.#lend((matcher) => matcher.demandOf(event));
  }

  /**
   * The rules that match, in order, up to and with the first drop.
   *
   * @param pay - Tries the rules that have patterns; `null` if the event's budget suffices for all.
   */
  matching(event: unknown, gone: Gone | null, pay: Ledger | null): Matching {
    return this.#lend((matcher) => matcher.match(event, gone, pay));
  }

  #lend<T>(use: (matcher: Matcher) => T): T {
    const matcher = this.#spare ?? new Matcher(this.#layout, this.#context.compile, this.#context.probe);
    this.#spare = null;
    const result = use(matcher);
    this.#spare = matcher;
    return result;
  }
}
