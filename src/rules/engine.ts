/**
 * Patterns that need an engine, if there is no engine: refused when rules are compiled, not when an event meets them.
 */
import { needsEngine, type PatternOptions } from '../patterns/index.js';
import {
  IssueList,
  RuleError,
  listCapacity,
  reportCapacity,
  type Location,
  type RuleSetIssue,
} from './issues/index.js';
import { takesPattern } from './operators/index.js';
import type { Leaf, Match, Rule, TransformOp } from './rule.js';
import { childrenOf, isGroup } from './tree.js';

const MESSAGE =
  'this pattern needs an engine, and there is none: give one as patterns.engine, or import from headgate, which has re2js';

/**
 * Throws unless every pattern of some rules can run.
 *
 * @param rules - Valid ones.
 * @throws {@link RuleError} `needs_engine` for each that cannot.
 */
export function assertRulesRun(rules: readonly Rule[], { engine }: PatternOptions): void {
  if (engine !== undefined) return;
  const [capacity, room] = [reportCapacity(), listCapacity()];
  const issues = rules.flatMap((rule, index): RuleSetIssue[] => {
    const found = new IssueList(capacity, room);
    checkRuleRuns(rule, found);
    return found.issues.map((issue) => ({ ...issue, index, ruleId: rule.id }));
  });
  if (issues.length > 0) throw new RuleError(issues);
}

/** Throws unless every pattern of a valid rule can run. */
export const assertRuleRuns = (rule: Rule, patterns: PatternOptions): void =>
  assertRuns(patterns, (issues) => checkRuleRuns(rule, issues));

/** Throws unless every pattern of a valid match tree can run. */
export const assertMatchRuns = (match: Match, patterns: PatternOptions): void =>
  assertRuns(patterns, (issues) => checkMatchRuns(match, null, issues));

/** Throws unless every pattern of valid ops can run. */
export const assertOpsRun = (ops: readonly TransformOp[], patterns: PatternOptions): void =>
  assertRuns(patterns, (issues) => checkOpsRun(ops, null, issues));

function assertRuns({ engine }: PatternOptions, check: (issues: IssueList) => void): void {
  if (engine !== undefined) return;
  const found = new IssueList();
  check(found);
  if (!found.none) throw new RuleError(found.issues);
}

function checkRuleRuns({ match, action }: Rule, issues: IssueList): void {
  checkMatchRuns(match, { parent: null, key: 'match' }, issues);
  const at: Location = { parent: { parent: null, key: 'action' }, key: 'ops' };
  if (action.type === 'transform') checkOpsRun(action.ops, at, issues);
}

function checkMatchRuns(match: Match, location: Location, issues: IssueList): void {
  const pending: { readonly node: Match; readonly location: Location }[] = [{ node: match, location }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, location } = next;
    if (!isGroup(node)) checkLeafRuns(node, location, issues);
    else {
      const parent = { parent: location, key: 'all' in node ? 'all' : 'any' };
      const children = childrenOf(node);
      for (let key = children.length - 1; key >= 0; key--) {
        pending.push({ node: children[key] as Match, location: { parent, key } });
      }
    }
  }
}

function checkLeafRuns({ op, value }: Leaf, parent: Location, issues: IssueList): void {
  if (takesPattern(op) && needsEngine(value as string, { kind: 'test' })) {
    issues.add('needs_engine', { parent, key: 'value' }, MESSAGE);
  }
}

function checkOpsRun(ops: readonly TransformOp[], parent: Location, issues: IssueList): void {
  for (const [key, op] of ops.entries()) {
    if (op.op === 'redact' && needsEngine(op.regex, { kind: 'replace', template: op.replace })) {
      issues.add('needs_engine', { parent: { parent, key }, key: 'regex' }, MESSAGE);
    }
  }
}
