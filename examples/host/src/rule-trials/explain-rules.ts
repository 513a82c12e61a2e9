/** Explains, rule by rule, what a project's rules do with an event. Runs in a thread. */
import type { PatternOptions, Rule, RuleSet } from 'headgate';
import { eventForRules } from '../stored/event-json.js';
import { firstRules, MOST_RULES } from '../stored/decision.js';
import { explanationOf } from './explaining.js';
import type { GivenEvent, IsOver, Part, PartOfRules } from './given.js';
import type { ExplainedRule } from './routes.js';
import { partOf } from './rule-sets.js';
import { createShowValue } from './shown-value.js';

/** The rules of a recorded decision. */
export interface MatchedThen {
  readonly ids: readonly string[];
  /** False if more rules matched than the decision has stored. */
  readonly areAll: boolean;
}

/** Rules to explain on an event. */
export interface GivenExplain extends PartOfRules {
  readonly event: GivenEvent;
  /** The rules of the recorded decision; null until there is one. */
  readonly matchedThen: MatchedThen | null;
}

export interface Explained extends Part<Omit<ExplainedRule, 'changed_since'>> {
  /** The first rules that match today, and the number of all. */
  readonly matched: readonly string[];
  readonly matchedCount: number;
  readonly droppedBy: string | null;
}

/** Nodes of all trees together; the tree with which there are more is the last. */
const MOST_NODES = 5_000;

/** @param set - The set of the rules that are enabled. */
export function explainRules(
  { event, matchedThen, ...part }: GivenExplain,
  rules: readonly Rule[],
  set: RuleSet,
  patterns: PatternOptions | undefined,
  isOver: IsOver,
): Explained {
  const read = eventForRules(event);
  const decision = set.evaluate(read);
  const matched = decision.matched.map(({ id }) => id);
  const applied = new Set(matched);
  const drop = decision.droppedBy?.id;
  const dropIndex = rules.findIndex(({ id }) => id === drop);
  const behindDrop = new Set(drop === undefined ? [] : rules.slice(dropIndex + 1));
  const show = createShowValue();
  let nodes = 0;
  const outcomeOf = (rule: Rule): ExplainedRule['outcome'] => {
    if (rule.enabled === false) return 'disabled';
    if (applied.has(rule.id)) return 'applied';
    return behindDrop.has(rule) ? 'behind_drop' : 'not_matched';
  };
  const then = new Set(matchedThen?.ids);
  const matchedThenOf = ({ id }: Rule): boolean | null =>
    then.has(id) || (matchedThen?.areAll === true ? false : null);
  const { items, next } = partOf(rules, part, (rule, isFirst) => {
    if (!isFirst && (nodes > MOST_NODES || isOver())) return null;
    const explanation = explanationOf(rule.match, read, patterns, show);
    nodes += explanation.nodes.length;
    return {
      ...{ id: rule.id, name: rule.name, priority: rule.priority, action: rule.action.type },
      ...{ enabled: rule.enabled !== false, outcome: outcomeOf(rule) },
      matched_then: matchedThenOf(rule),
      explanation,
    };
  });
  return {
    ...{ items, next, matchedCount: matched.length, droppedBy: decision.droppedBy?.id ?? null },
    matched: firstRules(matched, MOST_RULES, decision.droppedBy !== null),
  };
}
