/** From whatever somebody sent to a rule, or to all that is wrong with it at once. */
import { isObject, whyNotJson } from '../json.js';
import { checkPattern } from '../patterns/index.js';
import { IssueList, RuleError, type Place, type RuleIssue } from './issues.js';
import { isOperator, operatorNames } from './operators.js';
import { parsePath } from './path.js';
import type { Match, Operator, Rule, RuleDocument, TransformOp } from './rule.js';
import { checkNode } from './schema/check.js';
import { actionSchemas, leafSchemas, opSchemas } from './schema/schemas.js';
import { nearest, show } from './wording.js';

/** A rule, or what is wrong with what was handed in. */
export type RuleResult<R = Rule> =
  { readonly ok: true; readonly rule: R } | { readonly ok: false; readonly issues: readonly RuleIssue[] };

/**
 * Checks a rule, by loops however deep its tree is. `counts` may stand in it and is ignored; any other
 * unknown key is an issue.
 *
 * @param input - What JSON.parse gave, or any other value.
 * @returns The very object handed in, now known to be a rule; or every problem in document order.
 */
export function validateRule(input: unknown): RuleResult {
  return resultOf<Rule>(input, (issues) => {
    checkRule('rule', input, issues);
  });
}

/**
 * Checks a rule as a user saves it, before it has an `id`.
 *
 * @param input - What JSON.parse gave, or any other value.
 */
export function validateRuleDocument(input: unknown): RuleResult<RuleDocument> {
  return resultOf<RuleDocument>(input, (issues) => {
    checkRule('document', input, issues);
  });
}

/**
 * {@link validateRule}, throwing.
 *
 * @throws {@link RuleError} with every problem.
 */
export function parseRule(input: unknown): Rule {
  const result = validateRule(input);
  if (!result.ok) throw new RuleError(result.issues);
  return result.rule;
}

/** Throws unless a part of a rule passes its check. */
export function assertValid(check: (issues: IssueList) => void): void {
  const issues = new IssueList();
  check(issues);
  if (!issues.none) throw new RuleError(issues.issues);
}

function resultOf<R>(input: unknown, check: (issues: IssueList) => void): RuleResult<R> {
  const issues = new IssueList();
  check(issues);
  return issues.none ? { ok: true, rule: input as R } : { ok: false, issues: issues.issues };
}

/** Adds what is wrong with a rule or a rule document. */
export function checkRule(kind: 'rule' | 'document', input: unknown, issues: IssueList): void {
  if (!isObject(input)) {
    issues.add('invalid_type', null, `a rule must be an object; this is ${show(input)}`);
    return;
  }
  checkNode(kind, input, null, issues);
  if (isObject(input.match)) checkMatch(input.match, { parent: null, key: 'match' }, issues);
  if (isObject(input.action)) checkAction(input.action, { parent: null, key: 'action' }, issues);
}

interface PendingNode {
  readonly node: unknown;
  readonly place: Place;
  /** The children are done: the group is behind us. */
  readonly leaving?: true;
}

/** Adds what is wrong with a match tree. */
export function checkMatch(match: unknown, place: Place, issues: IssueList): void {
  const open = new Set<unknown>();
  const pending: PendingNode[] = [{ node: match, place }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, place } = next;
    if (next.leaving) open.delete(node);
    else if (!isObject(node)) issues.add('invalid_node', place, `${NODE}; this is ${show(node)}`);
    else if (!isGroupLike(node)) checkLeaf(node, place, issues);
    else if (open.has(node)) issues.add('invalid_node', place, 'this group contains itself');
    else {
      open.add(node);
      pending.push({ node, place, leaving: true });
      pushChildren(node, place, pending);
      checkGroup(node, place, issues);
    }
  }
}

const NODE = 'a match is a leaf {"path", "op", "value"} or a group {"all": […]} or {"any": […]}';

type Node = Readonly<Record<string, unknown>>;

const isGroupLike = (node: Node): boolean => Object.hasOwn(node, 'all') || Object.hasOwn(node, 'any');

function checkGroup(node: Node, place: Place, issues: IssueList): void {
  const both = Object.hasOwn(node, 'all') && Object.hasOwn(node, 'any');
  if (both)
    issues.add('invalid_node', place, 'a group has all or any, not both; put one group inside the other');
  checkNode(Object.hasOwn(node, 'all') ? 'all' : 'any', node, place, issues, both ? ['any'] : []);
}

/** Last child first, so that they are taken up in document order. */
function pushChildren(node: Node, parent: Place, pending: PendingNode[]): void {
  for (const key of ['any', 'all']) {
    const children = Object.hasOwn(node, key) ? node[key] : undefined;
    if (!Array.isArray(children)) continue;
    for (let i = children.length - 1; i >= 0; i--) {
      pending.push({ node: children[i], place: { parent: { parent, key }, key: i } });
    }
  }
}

type LeafShape = keyof typeof leafSchemas;

const shapeOf = Object.fromEntries(
  Object.entries(leafSchemas).flatMap(([shape, { properties }]) =>
    properties.op.enum.map((op) => [op, shape]),
  ),
) as Readonly<Record<Operator, LeafShape>>;

function checkLeaf(leaf: Node, place: Place, issues: IssueList): void {
  if (!['path', 'op', 'value'].some((key) => Object.hasOwn(leaf, key))) {
    issues.add('invalid_node', place, `${NODE}; this has none of these keys`);
    return;
  }
  const op = Object.hasOwn(leaf, 'op') ? leaf.op : undefined;
  if (isOperator(op)) {
    checkNode(shapeOf[op], leaf, place, issues);
    checkValue(op, leaf.value, { parent: place, key: 'value' }, issues);
  } else {
    checkNode('valueLeaf', leaf, place, issues, op === undefined ? ['value'] : ['op', 'value']);
    if (op !== undefined)
      issues.add('unknown_operator', { parent: place, key: 'op' }, unknown('operator', op, operatorNames));
  }
  checkPath(leaf.path, { parent: place, key: 'path' }, issues);
}

const unknown = (kind: string, word: unknown, known: readonly string[]): string =>
  `unknown ${kind} ${show(word)}; did you mean ${nearest(word, known)}? Known: ${known.join(', ')}`;

function checkValue(op: Operator, value: unknown, place: Place, issues: IssueList): void {
  if (op === 'matches' || op === 'not_matches') checkRegex(value, place, issues);
  if (shapeOf[op] === 'valueLeaf' || shapeOf[op] === 'listLeaf') checkJson(value, place, issues);
}

function checkJson(value: unknown, place: Place, issues: IssueList): void {
  const reason = value === undefined ? null : whyNotJson(value);
  if (reason !== null) issues.add('invalid_value', place, `value must be JSON, but it holds ${reason}`);
}

function checkRegex(source: unknown, place: Place, issues: IssueList): void {
  const problem = typeof source === 'string' ? checkPattern(source) : null;
  if (problem !== null) issues.add(problem.code, place, problem.message);
}

function checkPath(path: unknown, place: Place, issues: IssueList): void {
  const parsed = typeof path === 'string' ? parsePath(path) : [];
  if (typeof parsed === 'string') issues.add('invalid_path', place, parsed);
}

/** Adds what is wrong with an action. */
export function checkAction(action: unknown, place: Place, issues: IssueList): void {
  if (!isObject(action)) {
    issues.add('invalid_type', place, `an action must be an object; this is ${show(action)}`);
    return;
  }
  const type = kindOf(action, 'type', actionSchemas);
  if (type === null) {
    addUnknown({ kind: 'action', key: 'type', kinds: actionSchemas }, action, place, issues);
    return;
  }
  checkNode(type, action, place, issues);
  if (type === 'transform' && Array.isArray(action.ops)) {
    checkOps(action.ops, { parent: place, key: 'ops' }, issues);
  }
}

/** Adds what is wrong with each op of a transform. */
export function checkOps(ops: readonly unknown[], place: Place, issues: IssueList): void {
  for (const [key, op] of ops.entries()) checkOp(op, { parent: place, key }, issues);
}

function checkOp(op: unknown, place: Place, issues: IssueList): void {
  if (!isObject(op)) {
    issues.add('invalid_type', place, `an op must be an object; this is ${show(op)}`);
    return;
  }
  const name = kindOf(op, 'op', opSchemas);
  if (name === null) {
    addUnknown({ kind: 'op', key: 'op', kinds: opSchemas }, op, place, issues);
    return;
  }
  checkNode(name, op, place, issues);
  if (name === 'redact') checkRegex(op.regex, { parent: place, key: 'regex' }, issues);
  if (name === 'set') checkJson(op.value, { parent: place, key: 'value' }, issues);
  checkTarget(op.path, { parent: place, key: 'path' }, issues);
}

function checkTarget(path: unknown, place: Place, issues: IssueList): void {
  checkPath(path, place, issues);
  const parsed = typeof path === 'string' ? parsePath(path) : '';
  if (typeof parsed === 'string' || (parsed.length > 1 && parsed[0]?.key === 'data')) return;
  issues.add(
    'transform_outside_data',
    place,
    `a transform changes what lies under data.; ${show(path)} does not`,
  );
}

/** The kind that an object names, when it is a known one. */
function kindOf<K extends string>(node: Node, key: string, kinds: Readonly<Record<K, unknown>>): K | null {
  const kind = Object.hasOwn(node, key) ? node[key] : undefined;
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) ? (kind as K) : null;
}

/** What there is a choice of: in words, by which key, and the kinds by name. */
interface Choice {
  readonly kind: 'action' | 'op';
  readonly key: string;
  readonly kinds: object;
}

function addUnknown({ kind, key, kinds }: Choice, node: Node, parent: Place, issues: IssueList): void {
  const known = Object.keys(kinds);
  const place = { parent, key };
  if (Object.hasOwn(node, key)) issues.add(`unknown_${kind}`, place, unknown(kind, node[key], known));
  else issues.add('missing_key', place, `${key} is missing; it must be one of ${known.join(', ')}`);
}

/** Throws unless a match tree is valid. */
export function assertMatch(match: unknown): asserts match is Match {
  assertValid((issues) => {
    checkMatch(match, null, issues);
  });
}

/** Throws unless a list of ops is valid. */
export function assertOps(ops: unknown): asserts ops is readonly TransformOp[] {
  assertValid((issues) => {
    checkAction({ type: 'transform', ops }, null, issues);
  });
}
