/** No figure without the right answer: decisions are those of the loop over all rules. */
import { isDeepStrictEqual } from 'node:util';
import type { Event, Rule, RuleSet } from '../../src/index.js';
import { compileRulesPlainly } from '../../src/rules/plain.js';
import { parseEvent } from '../webhooks/events.js';
import { cpuMicros } from './cpu.js';

/** What the gate saw. */
export interface Passed {
  /** Events on which both decided the same. */
  readonly checked: number;
  /** Of them, those that some rule matched. */
  readonly hit: number;
  /** Rules that matched one of them on average. */
  readonly matches: number;
}

const FEWEST = 24;
const MOST = 512;
const BUDGET_MICROS = 1_500_000;

/** Decides as many events both ways as the time allows, spread over all. */
export function pass(
  ruleSet: Pick<RuleSet, 'evaluate'>,
  rules: readonly Rule[],
  texts: readonly string[],
): Passed {
  const plain = compileRulesPlainly(rules);
  const start = cpuMicros();
  let checked = 0;
  let hit = 0;
  let matches = 0;
  for (const event of spread(texts).map(parseEvent)) {
    if (checked >= FEWEST && cpuMicros() - start > BUDGET_MICROS) break;
    const decision = ruleSet.evaluate(event);
    assertSame(event, decision, plain.evaluate(event));
    checked++;
    hit += Math.min(1, decision.matched.length);
    matches += decision.matched.length;
  }
  return { checked, hit, matches };
}

/** At most {@link MOST} of them, from everywhere. */
const spread = (texts: readonly string[]): readonly string[] => {
  const step = Math.max(1, Math.floor(texts.length / MOST));
  return texts.filter((_, nth) => nth % step === 0);
};

function assertSame(event: Event, decision: unknown, right: unknown): void {
  if (!isDeepStrictEqual(decision, right)) throw new Error(`a wrong decision about ${event.id}`);
}
