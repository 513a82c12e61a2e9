/** Guesses at paths and patterns that are written in the notation of another system. */
import type { Json } from '../../json.js';
import { pointerTo, type Location, show } from '../issues/index.js';
import { formOf, ignoresValue, negatedBy, takesPattern } from '../operators/index.js';
import { oddPath } from '../validate/index.js';
import { childrenOf, isGroup } from '../tree.js';
import type { Leaf, Match, Operator, Rule, TransformOp } from '../rule.js';
import { isLiteralPattern, isLiteralText } from './literal.js';
import type { LintCode, LintWarning } from './warning.js';

/** Guesses for one rule, whose author probably made the same mistake everywhere. */
const MAX_OF_RULE = 8;

/** Guesses about the paths, patterns and texts of a rule, those of its match first. */
export function foreignIn(rule: Rule): readonly LintWarning[] {
  const warnings: LintWarning[] = [];
  for (const { path, literals, location } of writingsOf(rule)) {
    const warn = (code: LintCode, at: Location, message: string): void => {
      warnings.push({ code, rule, pointer: pointerTo(at), message, related: [] });
    };
    const odd = oddPath(path);
    if (odd !== null) warn('odd_path', { parent: location, key: 'path' }, pathMessage(path, odd));
    for (const { at, message } of literals) warn('odd_pattern', at, message);
    if (warnings.length >= MAX_OF_RULE) break;
  }
  return warnings.slice(0, MAX_OF_RULE);
}

const pathMessage = (path: string, { why, instead }: { why: string; instead: string | null }): string =>
  `${show(path)}: ${why}${instead === null ? '.' : `; did you mean ${show(instead)}?`} Leave it if your events have such a key`;

const patternMessage = (source: string): string =>
  `${show(source)} looks for the slashes too; write a pattern without them, and put flags first: (?i)abc`;

const textMessage = (text: string, op: Operator): string =>
  `${show(text)} is compared as text, slashes too; for a pattern write ${negatedBy(op) !== undefined ? 'not_matches' : 'matches'}, without slashes and with flags first: (?i)abc. Leave it if that text is meant`;

/** A text written like the literal of a pattern. */
interface Literal {
  readonly at: Location;
  readonly message: string;
}

/** A path, and the literals of the same leaf or op. */
interface Writing {
  readonly path: string;
  readonly literals: readonly Literal[];
  readonly location: Location;
}

function* writingsOf({ match, action }: Rule): Generator<Writing> {
  yield* leavesOf(match);
  if (action.type !== 'transform') return;
  const parent = { parent: { parent: null, key: 'action' }, key: 'ops' };
  for (const [key, op] of action.ops.entries()) yield opWriting(op, { parent, key });
}

/** In document order. */
function* leavesOf(match: Match): Generator<Writing> {
  const pending: { readonly node: Match; readonly location: Location }[] = [
    { node: match, location: { parent: null, key: 'match' } },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, location } = next;
    if (!isGroup(node)) {
      yield leafWriting(node, location);
      continue;
    }
    const parent = { parent: location, key: node.all === undefined ? 'any' : 'all' };
    const children = childrenOf(node);
    for (let key = children.length - 1; key >= 0; key--) {
      pending.push({ node: children[key] as Match, location: { parent, key } });
    }
  }
}

const leafWriting = (leaf: Leaf, location: Location): Writing => ({
  path: leaf.path,
  literals: literalsIn(leaf, { parent: location, key: 'value' }),
  location,
});

function literalsIn({ op, value }: Leaf, at: Location): readonly Literal[] {
  if (takesPattern(op)) {
    return isLiteralPattern(value as string) ? [{ at, message: patternMessage(value as string) }] : [];
  }
  if (ignoresValue(op)) return [];
  return formOf(op).value.type === 'array'
    ? (value as readonly Json[]).flatMap((member, key) => literalText(member, op, { parent: at, key }))
    : literalText(value, op, at);
}

const literalText = (value: Json | undefined, op: Operator, at: Location): readonly Literal[] =>
  typeof value === 'string' && isLiteralText(value) ? [{ at, message: textMessage(value, op) }] : [];

const opWriting = (op: TransformOp, location: Location): Writing => ({
  path: op.path,
  literals:
    op.op === 'redact' && isLiteralPattern(op.regex) && !putsSlashesBack(op.replace)
      ? [{ at: { parent: location, key: 'regex' }, message: patternMessage(op.regex) }]
      : [],
  location,
});

/** Whether a replacement has slashes at both ends: then the pattern's slashes are meant. */
const putsSlashesBack = (replace: string): boolean => replace.startsWith('/') && replace.endsWith('/');
