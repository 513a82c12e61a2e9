/** Mistakes in rules that are valid. */
import { budgetOf } from '../../patterns/index.js';
import { leafPlaces } from '../explain.js';
import { pointerTo, type Place } from '../issues.js';
import { compileProgram, type Program, type Step } from '../match.js';
import type { RuleOptions } from '../options.js';
import { inEvaluationOrder } from '../order.js';
import type { Rule } from '../rule.js';
import { assertRules } from '../validate-rules.js';
import { show } from '../wording.js';
import { inverses } from './condition.js';
import { coverOf } from './cover.js';
import { Drops } from './drops.js';
import type { Conflict } from './known.js';
import type { LintCode, LintPlace, LintWarning } from './warning.js';
import { conflictsOf, effortFor } from './ways.js';

/**
 * Finds what the authors of rules hardly meant. A warning is sure, as long as events are JSON and no pattern of a
 * drop meets its work budget; that there is none proves nothing. Takes time linear in the rules, whatever they are.
 *
 * @returns In evaluation order. Of a disabled rule it only says whether it could match.
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
    const conflicts = conflictsOf([{ program, must: true }], effortFor(program));
    if (conflicts !== null) return [neverMatches(rule, program, conflicts)];
    return rule.enabled === false ? [] : lintMatching(rule, program, drops);
  });
}

const isDrop = ({ enabled, action }: Rule): boolean => enabled !== false && action.type === 'drop';

/**
 * What is wrong with a rule that can match.
 *
 * @param drops - Those that run before the rule; if it is one, it is added.
 */
function lintMatching(rule: Rule, program: Program, drops: Drops): LintWarning[] {
  const warnings: LintWarning[] = [];
  const warn = (code: LintCode, message: string, related: readonly LintPlace[] = []): void => {
    warnings.push({ code, rule, pointer: '/match', message, related });
  };
  const hiding = drops.hiding(program)?.rule;
  if (hiding !== undefined) {
    const which = `${show(hiding.name)} (id ${show(hiding.id)})`;
    const message = `never applied: the drop ${which} runs first and matches all that this rule matches; `;
    warn('behind_drop', `${message}run this rule before it, or remove it`, [
      { rule: hiding, pointer: '/match' },
    ]);
  }
  if (isDrop(rule) && drops.add({ rule, program })) {
    warn(
      'drops_everything',
      'drops every event, since one or another of its leaves always holds; remove one',
    );
  }
  if (coverOf(program, ({ leaf }) => (leaf.op in inverses ? Infinity : 1)) === null) {
    const message =
      'tried on every event: no index finds missing, neq and the not_ operators, by which alone it can match; ';
    warn('always_tried', `${message}add a leaf such as eq, in or exists that must hold too`);
  }
  return warnings;
}

/** Names the first leaf that could not hold, and what it contradicts. */
function neverMatches(rule: Rule, program: Program, conflicts: readonly Conflict[]): LintWarning {
  const steps = (conflicts[0] as Conflict).map(({ step }) => step).reverse();
  const places = leafPlaces(rule.match).reverse(); // as the steps stand
  const pointers = steps.map((step) => `/match${pointerTo(places[program.indexOf(step)] as Place)}`);
  const leaves = steps.map(describe).join(' and ');
  const among = conflicts.length > 1 ? 'in one branch or another, ' : '';
  return {
    code: 'never_matches',
    rule,
    pointer: pointers[0] as string,
    message: `no event matches: ${among}${leaves} ${steps.length > 1 ? 'exclude each other' : 'holds for no value'}; change a leaf`,
    related: pointers.slice(1).map((pointer) => ({ rule, pointer })),
  };
}

/** Paths longer than this are cut in messages. */
const SHOWN_PATH = 80;

function describe({ leaf: { path, op, value } }: Step): string {
  const where = path.length > SHOWN_PATH ? `${path.slice(0, SHOWN_PATH)}…` : path;
  return `${where} ${op}${op === 'exists' || op === 'missing' ? '' : ` ${show(value)}`}`;
}
