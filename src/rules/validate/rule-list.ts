/** Lists of rules: each valid, no id twice. */
import { isObject } from '../../json.js';
import {
  IssueList,
  RuleError,
  listCapacity,
  reportCapacity,
  type RuleSetIssue,
  show,
} from '../issues/index.js';
import { checkRule } from './rule.js';

/** Throws unless every rule is valid and every id is used once. */
export function assertRules(rules: unknown): void {
  if (!Array.isArray(rules)) {
    throw new RuleError([
      { code: 'invalid_type', pointer: '', message: `rules must be an array; this is ${show(rules)}` },
    ]);
  }
  const capacity = reportCapacity();
  const room = listCapacity();
  const seen = new Set<unknown>();
  const issues: RuleSetIssue[] = [];
  for (const [index, rule] of (rules as unknown[]).entries()) {
    const found = new IssueList(capacity, room);
    checkRule('rule', rule, found);
    const id = isObject(rule) && typeof rule.id === 'string' ? rule.id : undefined;
    if (id !== undefined && seen.has(id)) {
      found.add('duplicate_id', { parent: null, key: 'id' }, 'another rule of the list has this id');
    }
    seen.add(id);
    for (const issue of found.issues) {
      issues.push({ ...issue, index, ...(id !== undefined && { ruleId: id }) });
    }
    if (found.full) break;
  }
  if (issues.length > 0) throw new RuleError(issues);
}
