/** Counts of the work that an event takes: no clock is read, so they are the same on every machine. */
import { withRe2js } from '../../../src/default-engine.js';
import type { Rule } from '../../../src/index.js';
import { compileProbed, type RuleChange, type RuleSet } from '../../../src/rules/rule-set.js';
import { newProbe, type Probe } from '../../../src/rules/rule-index/index.js';
import { parseEvent, type Workload } from '../../../bench/workloads/index.js';

export type Counter = keyof Probe;

export const COUNTERS = Object.keys(newProbe()) as readonly Counter[];

/** The work that an event takes on average. */
export interface EventCost extends Readonly<Probe> {
  /** How many rules there are. */
  readonly rules: number;
  /** Rules that match an event, up to and with the first drop. */
  readonly matches: number;
}

/** A rule set with a probe. Made for one test; sets made of it by changes share the probe. */
export class CountedRules {
  readonly set: RuleSet;
  readonly #probe: Probe;

  private constructor(set: RuleSet, probe: Probe) {
    this.set = set;
    this.#probe = probe;
  }

  static compile(rules: readonly Rule[]): CountedRules {
    const probe = newProbe();
    return new CountedRules(compileProbed(rules, withRe2js({}), probe), probe);
  }

  update(change: RuleChange): CountedRules {
    return new CountedRules(this.set.update(change), this.#probe);
  }

  /** @param texts - Events as JSON; at least one. */
  cost(texts: readonly string[]): EventCost {
    Object.assign(this.#probe, newProbe());
    let matches = 0;
    for (const text of texts) matches += this.set.evaluate(parseEvent(text)).matched.length;
    const mean = (count: number): number => count / texts.length;
    const counts = Object.fromEntries(
      COUNTERS.map((counter) => [counter, mean(this.#probe[counter])]),
    ) as Record<Counter, number>;
    return { ...counts, rules: this.set.rules.length, matches: mean(matches) };
  }
}

/** The cost of an event of a workload. */
export const costOf = ({ rules, texts }: Workload): EventCost => CountedRules.compile(rules).cost(texts);
