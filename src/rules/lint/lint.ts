/** Finds probable mistakes in rules that are valid. */
import { assertRulesRun } from '../engine.js';
import { pointerTo, show, type Location } from '../issues/index.js';
import { MATCHED, leafLocations, type Step } from '../match/index.js';
import { isNegated } from '../operators/index.js';
import { inEvaluationOrder } from '../order.js';
import type { Rule } from '../rule.js';
import { assertRules, readPatternOptions, type RuleOptions } from '../validate/index.js';
import {
  Drops,
  Efforts,
  compileTree,
  refute,
  type Conflict,
  type Effort,
  type Tree,
} from '../reasoning/index.js';
import { foreignIn } from './foreign.js';
import type { LintCode, LintLocation, LintWarning } from './warning.js';

/** `lintRules` of `headgate`, with no engine but the one in `options`; what needs one is `needs_engine`. */
export function lintRules(rules: readonly Rule[], options: RuleOptions = {}): readonly LintWarning[] {
  const patterns = readPatternOptions('lintRules', options);
  assertRules(rules);
  assertRulesRun(rules, patterns);
  const linter = new Linter();
  return [...rules]
    .sort(inEvaluationOrder)
    .flatMap((rule) => [...linter.lint(rule, compileTree(rule.match, patterns)), ...foreignIn(rule)]);
}

/** The questions about a rule that may be left open, in words. */
type Matter = 'it can match' | 'a drop hides it' | 'it drops every event';

/** Goes through rules in evaluation order. */
class Linter {
  readonly #efforts = new Efforts();
  readonly #drops = new Drops();

  lint(rule: Rule, tree: Tree): readonly LintWarning[] {
    const open: Matter[] = [];
    const ask = <Answer>(matter: Matter, question: (effort: Effort) => Answer | null): Answer | null =>
      this.#efforts.spend(tree.size, (effort) => {
        const answer = question(effort);
        if (answer === null && effort.fellShort) open.push(matter);
        return answer;
      });
    const conflicts = ask('it can match', (effort) => refute([{ tree, must: true }], effort));
    if (conflicts !== null) return [neverMatches(rule, tree, conflicts)];
    const warnings = rule.enabled === false ? [] : this.#lintMatching(rule, tree, ask);
    return open.length === 0 ? warnings : [...warnings, notChecked(rule, open)];
  }

  /**
   * The warnings of a rule that can match, as far as is known. A drop is taken for one that runs before those to come.
   */
  #lintMatching(rule: Rule, tree: Tree, ask: Ask): LintWarning[] {
    const warnings: LintWarning[] = [];
    const hiding = ask('a drop hides it', (effort) => this.#drops.hiding(tree, effort) ?? null);
    if (hiding !== null) warnings.push(behindDrop(rule, hiding));
    const isDrop = rule.action.type === 'drop';
    const dropsAll =
      isDrop && ask('it drops every event', (effort) => this.#drops.add(rule, tree, effort) || null) === true;
    if (dropsAll) warnings.push(warning('drops_everything', rule, DROPS_EVERYTHING));
    else if (isAlwaysTried(tree)) warnings.push(warning('always_tried', rule, ALWAYS_TRIED));
    return warnings;
  }
}

/** Asks a question about the rule at hand, and notes if it is left open. */
type Ask = <Answer>(matter: Matter, question: (effort: Effort) => Answer | null) => Answer | null;

/** Whether a tree can match while none but negated leaves hold. */
function isAlwaysTried({ program }: Tree): boolean {
  let at = program.length - 1;
  while (at >= 0) {
    const { leaf, ifHeld, ifNot } = program[at] as Step;
    at = isNegated(leaf) ? ifHeld : ifNot;
  }
  return at === MATCHED;
}

const DROPS_EVERYTHING = 'drops every event, since one leaf or another always holds; remove one';
const ALWAYS_TRIED =
  'tried on every event: it can match by neq, not_… and missing alone, which no index finds; add a leaf that must hold too';

const warning = (
  code: LintCode,
  rule: Rule,
  message: string,
  related: readonly LintLocation[] = [],
): LintWarning => ({ code, rule, pointer: '/match', message, related });

function behindDrop(rule: Rule, hiding: Rule): LintWarning {
  const drop = `the drop ${show(hiding.name)} (id ${show(hiding.id)})`;
  const message = `never applied: ${drop} runs first and matches all that this rule does; run this rule before it`;
  return warning('behind_drop', rule, message, [{ rule: hiding, pointer: '/match' }]);
}

const notChecked = (rule: Rule, open: readonly Matter[]): LintWarning =>
  warning(
    'not_checked',
    rule,
    `left open: whether ${open.join(', and whether ')}; finding out takes more work than lint spends on a rule of this size; use fewer leaves on one path, shorter lists and texts, or cheaper patterns`,
  );

/** Names the leaves of the first conflict. */
function neverMatches(rule: Rule, { program }: Tree, conflicts: readonly Conflict[]): LintWarning {
  const steps = (conflicts[0] as Conflict).map(({ step }) => step);
  const locations = leafLocations(rule.match).reverse(); // in the order of the steps
  const [first, ...related] = steps.map((step) => ({
    rule,
    pointer: `/match${pointerTo(locations[program.indexOf(step)] as Location)}`,
  }));
  const where = conflicts.length > 1 ? ', by whatever branch; in one, ' : ': ';
  const why = related.length > 0 ? 'exclude each other' : 'holds for no value';
  const message = `no event matches${where}${steps.map(describe).join(' and ')} ${why}; change a leaf`;
  return { code: 'never_matches', ...(first as LintLocation), message, related };
}

/** UTF-16 units of a path that a message shows. */
const SHOWN_PATH = 80;

const describe = ({ leaf: { path, op, value } }: Step): string =>
  `${path.slice(0, SHOWN_PATH)} ${op}${value === undefined ? '' : ` ${show(value)}`}`;
