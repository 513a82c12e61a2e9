/** Evaluates events by the rules of many projects, which are compiled once a version. Runs in a thread. */
import { compileRules, type Rule, type RuleSet, stringifyJson } from 'headgate';
import { eventForRules } from '../events/event-json.js';
import { storedDecision } from './decision.js';
import type { Evaluation, Group, ThreadOptions } from './protocol.js';

/** The rule sets of one thread. */
export interface Evaluator {
  /**
   * Evaluates the events of a project.
   *
   * @param ended - Called after each event.
   * @throws RuleError where the rules cannot be compiled.
   */
  evaluate(group: Group, ended: () => void): readonly Evaluation[];
  forget(project: string): void;
}

/** @param now - A clock for durations, in milliseconds. */
export function createEvaluator({ budget }: ThreadOptions, now: () => number): Evaluator {
  const sets = new Map<string, { readonly version: number; readonly ruleSet: RuleSet }>();
  const ruleSetOf = ({ project, version, rules }: Group): RuleSet => {
    const known = sets.get(project);
    if (rules === null && known?.version === version) return known.ruleSet;
    if (rules === null) throw new Error('the rules of this version were not sent');
    const ruleSet = compileRules(JSON.parse(rules) as Rule[], { patterns: { budget } });
    sets.set(project, { version, ruleSet });
    return ruleSet;
  };
  return {
    evaluate(group, ended) {
      const ruleSet = ruleSetOf(group);
      return group.events.map((event) => {
        const began = now();
        const evaluation = evaluateOne(ruleSet, event);
        ended();
        return { ...evaluation, ms: now() - began };
      });
    },
    forget: (project) => void sets.delete(project),
  };
}

function evaluateOne(ruleSet: RuleSet, event: Group['events'][number]): Omit<Evaluation, 'ms'> {
  try {
    const read = eventForRules(event);
    return { decision: storedDecision(read, ruleSet.evaluate(read), stringifyJson), error: null };
  } catch (error) {
    return { decision: null, error: error instanceof Error ? error.message : 'unknown' };
  }
}
