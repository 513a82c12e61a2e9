/** Actions, and the ops of transforms. */
import { isObject } from '../../json.js';
import { type IssueList, type Location, show } from '../issues/index.js';
import { oddPath } from './odd-path.js';
import { checkNode } from '../schema/check.js';
import { actionSchemas, opSchemas } from '../schema/schemas.js';
import { checkJson, checkPath, checkRegex, unknownName, type Node } from './fields.js';

/** Adds the problems of an action. */
export function checkAction(action: Node, location: Location, issues: IssueList): void {
  const type = kindOf(action, 'type', actionSchemas);
  if (type === null) {
    addUnknown({ kind: 'action', key: 'type', kinds: actionSchemas }, action, location, issues);
    return;
  }
  checkNode(type, action, location, issues);
  if (type === 'transform' && Array.isArray(action.ops)) {
    checkOps(action.ops, { parent: location, key: 'ops' }, issues);
  }
}

/** Adds the problems of each op of a transform. */
export function checkOps(ops: readonly unknown[], location: Location, issues: IssueList): void {
  for (const [key, op] of ops.entries()) {
    if (issues.done) return;
    checkOp(op, { parent: location, key }, issues);
  }
}

function checkOp(op: unknown, location: Location, issues: IssueList): void {
  if (!isObject(op)) {
    issues.add('invalid_type', location, `an op must be an object; this is ${show(op)}`);
    return;
  }
  const name = kindOf(op, 'op', opSchemas);
  if (name === null) {
    addUnknown({ kind: 'op', key: 'op', kinds: opSchemas }, op, location, issues);
    return;
  }
  checkNode(name, op, location, issues);
  if (name === 'redact') checkRegex(op.regex, { parent: location, key: 'regex' }, issues);
  if (name === 'set') checkJson(op.value, { parent: location, key: 'value' }, issues);
  checkTarget(op.path, { parent: location, key: 'path' }, issues);
}

function checkTarget(path: unknown, location: Location, issues: IssueList): void {
  const parsed = checkPath(path, location, issues);
  if (parsed === null || (parsed.length > 1 && parsed[0]?.key === 'data')) return;
  const meant = oddPath(path as string)?.instead ?? null;
  const guess = meant?.startsWith('data.') === true ? `; did you mean ${show(meant)}?` : '';
  issues.add(
    'transform_outside_data',
    location,
    `a transform changes what lies under data.; ${show(path)} does not${guess}`,
  );
}

/** The kind that an object names, when it is a known one. */
function kindOf<K extends string>(node: Node, key: string, kinds: Readonly<Record<K, unknown>>): K | null {
  const kind = Object.hasOwn(node, key) ? node[key] : undefined;
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) ? (kind as K) : null;
}

/** A closed list of kinds: its name in messages, the key that chooses, and the kinds. */
interface Choice {
  readonly kind: 'action' | 'op';
  readonly key: string;
  readonly kinds: object;
}

function addUnknown({ kind, key, kinds }: Choice, node: Node, parent: Location, issues: IssueList): void {
  const known = Object.keys(kinds);
  const location = { parent, key };
  const name = node[key];
  const hint = typeof name === 'string' ? HINTS[kind].get(name.toLowerCase()) : undefined;
  if (!Object.hasOwn(node, key)) {
    issues.add('missing_key', location, `${key} is missing; it must be one of ${known.join(', ')}`);
  } else if (hint === undefined) {
    issues.add(`unknown_${kind}`, location, unknownName(kind, name, known));
  } else {
    issues.add(
      `unknown_${kind}`,
      location,
      `unknown ${kind} ${show(name)}; ${hint}. Known: ${known.join(', ')}`,
    );
  }
}

const opHint = (op: string): string =>
  `${op} is an op of transform: write {"type": "transform", "ops": [{"op": "${op}", …}]}`;
const actionHint = (action: string): string =>
  `${action} is an action of its own: write {"type": "${action}", …}`;
const NOT_REMOVED = 'nothing is removed: set puts null there, redact takes out text';
const NOT_CREATED = 'nothing is created or moved: set replaces what is there';
const DROPPED = `did you mean drop? It takes the whole event; in a transform ${NOT_REMOVED}`;

const REMOVE = ['remove', 'delete', 'unset', 'omit'];
const CREATE = ['add', 'insert', 'append', 'copy', 'move', 'rename'];

const hintsFor = (names: readonly string[], hint: (name: string) => string): readonly [string, string][] =>
  names.map((name) => [name, hint(name)]);

/** Advice for names from other systems that are more than aliases of a name here. */
const HINTS: Readonly<Record<Choice['kind'], ReadonlyMap<string, string>>> = {
  action: new Map([
    ...hintsFor(REMOVE, () => DROPPED),
    ...hintsFor(CREATE, () => `in a transform ${NOT_CREATED}`),
    ...hintsFor(Object.keys(opSchemas), opHint),
  ]),
  op: new Map([
    ...hintsFor(REMOVE, () => NOT_REMOVED),
    ...hintsFor(CREATE, () => NOT_CREATED),
    ...hintsFor(Object.keys(actionSchemas), actionHint),
  ]),
};
