/** Mistakes in rules that are valid. */
import { budgetOf } from '../../patterns/index.js';
import { compileProgram, type Program } from '../match.js';
import type { RuleOptions } from '../options.js';
import { inEvaluationOrder } from '../order.js';
import type { Rule } from '../rule.js';
import { assertRules } from '../validate-rules.js';
import { show } from '../wording.js';
import { inverses } from './condition.js';
import { findContradictions } from './contradictions.js';
import { canMatchWithout } from './cover.js';
import { Drops, type Drop } from './drops.js';
import { warningOf, type LintWarning } from './warning.js';

/**
 * Finds what the authors of rules hardly meant. A warning is sure, as long as events are JSON and no pattern meets
 * its work budget; that there is none proves nothing. Takes time linear in the rules, however many are drops.
 *
 * @returns In evaluation order. Of disabled rules it is only said what they cannot match.
 * @throws {@link RuleError} with every problem of every rule, where one is invalid.
 * @see docs/rules.md
 */
export function lint(rules: readonly Rule[], options: RuleOptions = {}): readonly LintWarning[] {
  assertRules(rules);
  const patterns = options.patterns ?? {};
  budgetOf(patterns); // refused now, as compileRules does
  const programs = new Map<Rule, Program>();
  for (const rule of rules) if (isDrop(rule)) programs.set(rule, compileProgram(rule.match, patterns));
  const drops = new Drops(programs.values());
  return [...rules].sort(inEvaluationOrder).flatMap((rule) => {
    const program = programs.get(rule) ?? compileProgram(rule.match, patterns);
    return lintRule(rule, program, drops);
  });
}

const isDrop = ({ enabled, action }: Rule): boolean => enabled !== false && action.type === 'drop';

/** @param drops - Those that run before the rule; if it is one, it is added. */
function lintRule(rule: Rule, program: Program, drops: Drops): readonly LintWarning[] {
  const found = findContradictions(rule, program);
  if (rule.enabled === false || found.some(({ code }) => code === 'never_matches')) return found;
  const warnings = [...found];
  const first = drops.hiding(program);
  if (first !== undefined) warnings.push(behind(first, rule));
  if (isDrop(rule) && drops.add({ rule, program }))
    warnings.push(warningOf('drops_everything', rule, EVERYTHING));
  if (canMatchWithout(program, ({ leaf }) => !(leaf.op in inverses))) {
    warnings.push(warningOf('always_tried', rule, TRIED));
  }
  return warnings;
}

const behind = ({ rule: drop }: Drop, rule: Rule): LintWarning =>
  warningOf(
    'behind_drop',
    rule,
    `never applied: ${show(drop.name)} (id ${show(drop.id)}) runs first and drops all that this rule matches; ` +
      'give this rule a lower priority, or remove it',
    [{ rule: drop, pointer: '/match' }],
  );

const EVERYTHING =
  'drops every event, whatever it holds: one leaf or another of its any always does; remove one';

const TRIED =
  'tried on every event: it can match by leaves alone that ask for what is not there, and no index finds those; ' +
  'add one such as eq, in or starts_with that must hold too';
