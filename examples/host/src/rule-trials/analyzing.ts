/** How the rules of a project are found in events, and what lint says of them. Runs in a thread. */
import { lintRules, type Rule, type RuleSet } from 'headgate';
import { shortened } from '../errors/shortened.js';
import { MOST_WARNINGS, shownWarning } from '../errors/warnings.js';
import type { Part, PartOfRules } from './given.js';
import type { RuleAnalysis } from './routes.js';
import { partOf } from './rule-sets.js';
import { createShowValue, type ShowValue } from './shown-value.js';

/** Ways to find one rule that are shown, and leaves of each. */
const MOST_WAYS = 20;

type RuleAccess = ReturnType<RuleSet['describe']>[number];

/** @param set - The set of the rules that are enabled. */
export function analyzeRules(part: PartOfRules, rules: readonly Rule[], set: RuleSet): Part<RuleAnalysis> {
  const show = createShowValue();
  const found = new Map(set.describe().map((access) => [access.rule.id, access]));
  const warnings = warningsByRule(rules);
  return partOf(rules, part, (rule) => {
    const access = found.get(rule.id);
    return {
      rule_id: rule.id,
      access: access === undefined ? null : shownAccess(access, show),
      warnings: warnings.get(rule.id) ?? [],
    };
  });
}

function warningsByRule(rules: readonly Rule[]): ReadonlyMap<string, RuleAnalysis['warnings']> {
  const warnings = new Map<string, RuleAnalysis['warnings']>();
  for (const warning of lintRules(rules)) {
    const { id } = warning.rule;
    const known = warnings.get(id) ?? [];
    if (known.length < MOST_WARNINGS) known.push(shownWarning(warning));
    warnings.set(id, known);
  }
  return warnings;
}

const shownAccess = ({ tried, weight, by }: RuleAccess, show: ShowValue): RuleAnalysis['access'] => ({
  tried,
  weight,
  by: by.slice(0, MOST_WAYS).map(({ kind, leaves, sharedBy, isCertain }) => ({
    kind,
    leaves: leaves.slice(0, MOST_WAYS).map((leaf) => ({
      path: shortened(leaf.path),
      op: leaf.op,
      value: show('value' in leaf ? leaf.value : undefined),
    })),
    shared_by: sharedBy,
    is_certain: isCertain,
  })),
});
