/** Mistakes in rules that are valid. */
import { leafPlaces } from '../explain.js';
import { pointerTo, type Place } from '../issues.js';
import { compileProgram, type Program, type Step } from '../match.js';
import { readPatternOptions, type RuleOptions } from '../options.js';
import { inEvaluationOrder } from '../order.js';
import type { Rule } from '../rule.js';
import { assertRules } from '../validate-rules.js';
import { show } from '../wording.js';
import { inverses } from './condition.js';
import { coverOf } from './cover.js';
import { Drops } from './drops.js';
import { foreignIn } from './foreign.js';
import type { Conflict } from './known.js';
import type { LintCode, LintPlace, LintWarning } from './warning.js';
import { conflictsOf, effortFor } from './ways.js';

/**
 * Finds what the authors of rules hardly meant. A warning is sure, as long as events are JSON and no pattern of a
 * drop meets its work budget, but for `odd_path` and `odd_pattern`, which are guesses; that there is none proves nothing. Takes time linear in the rules, whatever they are.
 *
 * @returns In evaluation order. Of a disabled rule it only says whether it could match, and guesses.
 * @throws {@link RuleError} with every problem of every rule, where one is invalid.
 * @see docs/rules.md
 */
export function lint(rules: readonly Rule[], options: RuleOptions = {}): readonly LintWarning[] {
  const patterns = readPatternOptions('lint', options);
  assertRules(rules);
  const drops = new Drops();
  return [...rules]
    .sort(inEvaluationOrder)
    .flatMap((rule) => [...lintRule(rule, compileProgram(rule.match, patterns), drops), ...foreignIn(rule)]);
}

/** What is sure about a rule, after those that run before it. */
function lintRule(rule: Rule, program: Program, drops: Drops): readonly LintWarning[] {
  const conflicts = conflictsOf([{ program, must: true }], effortFor(program));
  if (conflicts !== null) return [neverMatches(rule, program, conflicts)];
  return rule.enabled === false ? [] : lintMatching(rule, program, drops);
}

/** @param drops - Those that run before the rule, which can match; if it is a drop, it is added. */
function lintMatching(rule: Rule, program: Program, drops: Drops): LintWarning[] {
  const warnings: LintWarning[] = [];
  const warn = (code: LintCode, message: string, related: readonly LintPlace[] = []): void => {
    warnings.push({ code, rule, pointer: '/match', message, related });
  };
  const hiding = drops.hiding(program);
  if (hiding !== undefined) {
    const drop = `the drop ${show(hiding.name)} (id ${show(hiding.id)})`;
    const message = `never applied: ${drop} runs first and matches all that this rule does; run this rule before it`;
    warn('behind_drop', message, [{ rule: hiding, pointer: '/match' }]);
  }
  if (rule.action.type === 'drop' && drops.add(rule, program)) {
    warn('drops_everything', 'drops every event, since one leaf or another always holds; remove one');
  } else if (coverOf(program, ({ leaf }) => (leaf.op in inverses ? Infinity : 1)) === null) {
    warn(
      'always_tried',
      'tried on every event: it can match by neq, not_… and missing alone, which no index finds; add a leaf that must hold too',
    );
  }
  return warnings;
}

/** Names leaves of the first conflict, the one first that came last. */
function neverMatches(rule: Rule, program: Program, conflicts: readonly Conflict[]): LintWarning {
  const steps = (conflicts[0] as Conflict).map(({ step }) => step).reverse();
  const places = leafPlaces(rule.match).reverse(); // as the steps stand
  const [first, ...related] = steps.map((step) => ({
    rule,
    pointer: `/match${pointerTo(places[program.indexOf(step)] as Place)}`,
  }));
  const where = conflicts.length > 1 ? ', by whatever branch; in one, ' : ': ';
  const why = related.length > 0 ? 'exclude each other' : 'holds for no value';
  const message = `no event matches${where}${steps.map(describe).join(' and ')} ${why}; change a leaf`;
  return { code: 'never_matches', ...(first as LintPlace), message, related };
}

/** UTF-16 units of a path that a message shows. */
const SHOWN_PATH = 80;

const describe = ({ leaf: { path, op, value } }: Step): string =>
  `${path.slice(0, SHOWN_PATH)} ${op}${value === undefined ? '' : ` ${show(value)}`}`;
