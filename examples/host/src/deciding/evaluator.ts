/**
 * Evaluates events by the rules of many projects. Of a new version only the rules that changed are compiled. Runs in a
 * thread.
 */
import {
  compileRules,
  type PatternOptions,
  type Rule,
  type RuleChange,
  type RuleSet,
  stringifyJson,
} from 'headgate';
import { eventForRules } from '../stored/event-json.js';
import { plainDecision } from './decision.js';
import type { Evaluation, Group } from './protocol.js';

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

/** The rules of a project at one version. */
interface Compiled {
  readonly version: number;
  readonly ruleSet: RuleSet;
  /** The JSON text of each rule, by its id. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * @param patterns - The work that rules may do on one event.
 * @param now - A clock for durations, in milliseconds.
 */
export function createEvaluator(patterns: PatternOptions, now: () => number): Evaluator {
  const sets = new Map<string, Compiled>();
  const ruleSetOf = ({ project, version, rules }: Group): RuleSet => {
    const known = sets.get(project);
    if (rules === null && known?.version === version) return known.ruleSet;
    if (rules === null) throw new Error('the rules of this version were not sent');
    const all = JSON.parse(rules) as Rule[];
    const texts = new Map(all.map((rule) => [rule.id, stringifyJson(rule)]));
    const ruleSet =
      known === undefined
        ? compileRules(all, { patterns })
        : known.ruleSet.update(changeBetween(known.texts, texts, all));
    sets.set(project, { version, ruleSet, texts });
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

/** @param all - The rules whose texts are `after`. */
const changeBetween = (
  before: Compiled['texts'],
  after: Compiled['texts'],
  all: readonly Rule[],
): Required<RuleChange> => ({
  put: all.filter(({ id }) => before.get(id) !== after.get(id)),
  remove: [...before.keys()].filter((id) => !after.has(id)),
});

function evaluateOne(ruleSet: RuleSet, event: Group['events'][number]): Omit<Evaluation, 'ms'> {
  try {
    const read = eventForRules(event);
    return { decision: plainDecision(read, ruleSet.evaluate(read), stringifyJson), error: null };
  } catch (error) {
    return { decision: null, error: error instanceof Error ? error.message : 'unknown' };
  }
}
