/** Tries rules. It reads no database and writes none. */
import { performance } from 'node:perf_hooks';
import type { PatternOptions } from 'headgate';
import { eventForRules } from '../stored/event-json.js';
import type { JobContext } from '../threads/messages.js';
import { serve } from '../threads/serve.js';
import { analyzeRules } from './analyzing.js';
import { explainRules, type GivenExplain } from './explain-rules.js';
import type { GivenEvent, IsOver, PartOfRules } from './given.js';
import { pathsOf } from './paths.js';
import { type GivenChange, proveRule } from './proving.js';
import { createRuleSets } from './rule-sets.js';
import { type GivenPattern, tryPattern } from './try-pattern.js';
import { type GivenRule, tryRule } from './try-rule.js';

/** Given to a thread when it starts. */
interface TrialData {
  /** The work that rules may do on one event, as deciding has it; left out, the library's. */
  readonly patterns?: PatternOptions | undefined;
  /** A job that takes longer ends with the item that it is at, in milliseconds. */
  readonly endAfterMs: number;
}

const worker = ({ patterns, endAfterMs }: TrialData) => {
  const ruleSetsOf = createRuleSets(patterns);
  const isOverIn = ({ isOver }: JobContext): IsOver => {
    const endsAt = performance.now() + endAfterMs;
    return () => performance.now() >= endsAt || isOver();
  };
  return {
    try: (given: GivenRule, job: JobContext) => tryRule(given, patterns, isOverIn(job)),
    tryPattern: (given: GivenPattern, job: JobContext) => tryPattern(given, patterns, isOverIn(job)),
    paths: (events: readonly GivenEvent[], job: JobContext) => pathsOf(readAll(events), isOverIn(job)),
    explain(given: GivenExplain, job: JobContext) {
      const isOver = isOverIn(job);
      const { rules, set } = ruleSetsOf(given.rules);
      return explainRules(given, rules, set, patterns, isOver);
    },
    prove: (given: GivenChange) => proveRule(given, ruleSetsOf(given.rules).rules, patterns),
    analyze(given: PartOfRules) {
      const { rules, set } = ruleSetsOf(given.rules);
      return analyzeRules(given, rules, set);
    },
  };
};

export type TrialWorker = typeof worker;

function* readAll(events: readonly GivenEvent[]) {
  for (const event of events) yield eventForRules(event);
}

serve(worker);
