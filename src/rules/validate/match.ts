/** Match trees of any depth, node by node. */
import { Ancestors, isObject } from '../../json.js';
import { guess, isNegation, meaningOf, type IssueList, type Location, show } from '../issues/index.js';
import {
  formOf,
  ignoresValue,
  insteadOfInverse,
  isOperator,
  operatorNames,
  takesPattern,
} from '../operators/index.js';
import type { Operator } from '../rule.js';
import { checkNode } from '../schema/check.js';
import { checkJson, checkPath, checkRegex, unknownName, type Node } from './fields.js';

interface PendingNode {
  readonly node: unknown;
  readonly location: Location;
  /** The children are done: the group is behind us. */
  readonly leaving?: true;
}

/** UTF-16 units that a group, and a leaf without its path and value, have at least. */
const GROUP_SIZE = '{"all":[]}'.length;
const LEAF_SIZE = '{"op":""}'.length;

/** Adds the problems of a match tree; of one that is too large, those of its beginning. */
export function checkMatch(match: unknown, location: Location, issues: IssueList): void {
  const ancestors = new Ancestors();
  const pending: PendingNode[] = [{ node: match, location }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, location } = next;
    if (next.leaving) {
      ancestors.leave();
      continue;
    }
    if (issues.done || !issues.takes(1, location)) return;
    if (!isObject(node)) issues.add('invalid_node', location, `${NODE}; this is ${show(node)}`);
    else if (!isGroupLike(node)) checkLeaf(node, location, issues);
    else {
      const up = ancestors.enter(node);
      if (up > 0) {
        issues.add('invalid_node', above(location, up - 1), 'this group contains itself');
        return;
      }
      issues.takes(GROUP_SIZE - 1, location);
      pending.push({ node, location, leaving: true });
      pushChildren(node, location, pending);
      checkGroup(node, location, issues);
    }
  }
}

/** The location of a group some groups up. */
function above(location: Location, groups: number): Location {
  let at = location;
  for (let i = 0; i < groups; i++) at = at?.parent?.parent ?? null;
  return at;
}

const NODE = 'a match is a leaf {"path", "op", "value"} or a group {"all": […]} or {"any": […]}';

const isGroupLike = (node: Node): boolean => Object.hasOwn(node, 'all') || Object.hasOwn(node, 'any');

function checkGroup(node: Node, location: Location, issues: IssueList): void {
  const both = Object.hasOwn(node, 'all') && Object.hasOwn(node, 'any');
  if (both) issues.add('invalid_node', location, 'a group has all or any, not both; nest one in the other');
  checkNode(Object.hasOwn(node, 'all') ? 'all' : 'any', node, location, issues, both ? ['any'] : []);
}

/** Last child first, so that they are taken up in document order. */
function pushChildren(node: Node, parent: Location, pending: PendingNode[]): void {
  for (const key of ['any', 'all']) {
    const children = Object.hasOwn(node, key) ? node[key] : undefined;
    if (!Array.isArray(children)) continue;
    for (let i = children.length - 1; i >= 0; i--) {
      pending.push({ node: children[i], location: { parent: { parent, key }, key: i } });
    }
  }
}

const LEAF_KEYS = ['path', 'op', 'value'];

/** A hint for a node that is neither leaf nor group, from its first key. */
function insteadOf([key]: readonly string[]): string {
  if (key === undefined) return 'this is empty';
  if (NONE.test(key)) return `there is no ${show(key)}; use inverse operators such as neq in an all`;
  if (isNegation(key)) return `there is no ${show(key)}, only inverse operators such as neq`;
  const meant = guess(key, ['all', 'any', ...LEAF_KEYS]).replace(' Did', ', did');
  return meant === '' ? `${show(key)} is a key of neither` : `for ${show(key)}${meant}`;
}

/** Names of a group of which no child holds. */
const NONE = /^\W*(?:none|none_?of|nor|must_?not|not_?any|not_?or)$/i;

function checkLeaf(leaf: Node, location: Location, issues: IssueList): void {
  if (!LEAF_KEYS.some((key) => Object.hasOwn(leaf, key))) {
    issues.add('invalid_node', location, `${NODE}; ${insteadOf(Object.keys(leaf))}`);
    return;
  }
  issues.takes(LEAF_SIZE - 1, location);
  const op = Object.hasOwn(leaf, 'op') ? leaf.op : undefined;
  if (isOperator(op)) {
    checkNode(formOf(op).name, leaf, location, issues);
    checkValue(op, leaf.value, { parent: location, key: 'value' }, issues);
  } else {
    checkNode('valueLeaf', leaf, location, issues, ['op', 'value']);
    const at: Location = { parent: location, key: 'op' };
    if (op !== undefined) issues.add('unknown_operator', at, unknownOperator(op));
    else issues.add('missing_key', at, `op is missing; it must be one of ${operatorNames.join(', ')}`);
  }
  checkPath(leaf.path, { parent: location, key: 'path' }, issues);
}

function unknownOperator(op: unknown): string {
  const meaning = meaningOf(op, operatorNames);
  const instead = meaning?.negated === true ? insteadOfInverse(meaning.name) : undefined;
  if (meaning === null || instead === undefined) return unknownName('operator', op, operatorNames);
  const hint = `${meaning.name} has no inverse: write ${instead}`;
  return `unknown operator ${show(op)}; ${hint}. Known: ${operatorNames.join(', ')}`;
}

function checkValue(op: Operator, value: unknown, location: Location, issues: IssueList): void {
  if (takesPattern(op)) checkRegex(value, location, issues);
  const { value: schema } = formOf(op);
  // Other schemas say all there is to say about a value that is not a string.
  const isOpen = !ignoresValue(op) && (schema.type === undefined || schema.type === 'array');
  if (isOpen || typeof value === 'string') checkJson(value, location, issues);
}
