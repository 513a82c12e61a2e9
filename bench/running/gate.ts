/** No figure without the right answer: decisions are those of the loop over all rules. */
import { isDeepStrictEqual } from 'node:util';
import {
  compileRules,
  type Decision,
  type Event,
  type Rule,
  type RuleOptions,
  type RuleSet,
} from '../../src/index.js';
import { compileReferenceRules } from '../../src/testing/index.js';
import { parseEvent } from '../webhooks/events.js';
import { cpuMicros } from './cpu.js';

/** The result of the gate. */
export interface Passed {
  /** Events on which both decided the same. */
  readonly checked: number;
  /** The part of the events that some rule matched. */
  readonly hit: number;
  /** Rules that matched an event, on average. */
  readonly matches: number;
}

const FEWEST = 24;
const MOST = 256;
const BUDGET_MICROS = 1_500_000;

/** Decides as many events both ways as the time allows. */
export function pass(
  ruleSet: Pick<RuleSet, 'evaluate'>,
  rules: readonly Rule[],
  texts: readonly string[],
): Passed {
  const plain = compileReferenceRules(rules);
  const sample = texts.slice(0, MOST);
  const checked = whileTimeAllows(sample, (event) => {
    assertSame(event, ruleSet.evaluate(event), plain.evaluate(event));
  });
  const matches = whileTimeAllows(sample, (event) => ruleSet.evaluate(event).matched.length);
  return {
    checked: checked.length,
    hit: matches.filter((count) => count > 0).length / matches.length,
    matches: matches.reduce((sum, count) => sum + count) / matches.length,
  };
}

/** The results of `look` for the first events: at least {@link FEWEST}, and as many as the time allows. */
function whileTimeAllows<T>(texts: readonly string[], look: (event: Event) => T): T[] {
  const start = cpuMicros();
  const seen: T[] = [];
  for (const text of texts) {
    if (seen.length >= FEWEST && cpuMicros() - start > BUDGET_MICROS) break;
    seen.push(look(parseEvent(text)));
  }
  return seen;
}

/** Throws unless rules decide about one event as the loop over all of them does. */
export function prove(rules: readonly Rule[], event: Event, options: RuleOptions = {}): void {
  assertSame(
    event,
    compileRules(rules, options).evaluate(event),
    compileReferenceRules(rules, options).evaluate(event),
  );
}

/** The rules must be the very same, which is quickly seen; all else must be equal. */
function assertSame(event: Event, { matched, ...rest }: Decision, right: Decision): void {
  const { matched: rightly, ...restRightly } = right;
  const same = matched.length === rightly.length && matched.every((rule, nth) => rule === rightly[nth]);
  if (!same || !isDeepStrictEqual(rest, restRightly)) throw new Error(`a wrong decision about ${event.id}`);
}
