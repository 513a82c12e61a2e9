/** Warns of what is valid and looks like another language: paths, and literals of regular expressions. */
import { pointerTo, type Place } from '../issues.js';
import { childrenOf, isGroup } from '../match.js';
import { oddPath } from '../odd-path.js';
import type { Leaf, Match, Rule, TransformOp } from '../rule.js';
import { show } from '../wording.js';
import type { LintCode, LintWarning } from './warning.js';

/** Warnings for one rule: whoever has made the mistake once has made it everywhere. */
const MAX_OF_RULE = 8;

/** Guesses about the paths and patterns of a rule, those of its match first. */
export function foreignIn(rule: Rule): readonly LintWarning[] {
  const warnings: LintWarning[] = [];
  for (const { path, regex, place } of writingsOf(rule)) {
    const warn = (code: LintCode, key: string, message: string): void => {
      const pointer = pointerTo({ parent: place, key });
      warnings.push({ code, rule, pointer, message, related: [] });
    };
    const odd = oddPath(path);
    if (odd !== null) warn('odd_path', 'path', pathMessage(path, odd));
    if (regex !== null && isLiteral(regex.source))
      warn('odd_pattern', regex.key, patternMessage(regex.source));
    if (warnings.length >= MAX_OF_RULE) break;
  }
  return warnings.slice(0, MAX_OF_RULE);
}

const pathMessage = (path: string, { why, instead }: { why: string; instead: string | null }): string =>
  `${show(path)}: ${why}${instead === null ? '' : `; did you mean ${show(instead)}?`} Leave it if your events have such a key`;

const patternMessage = (source: string): string =>
  `${show(source)} looks for the slashes too; a pattern stands without them, and flags stand first: (?i)abc`;

/** A literal as JavaScript writes it: with flags, or with what only a pattern has in it. */
const isLiteral = (source: string): boolean =>
  /^\/(?:[^/\\]|\\.)+\/(?:[dgimsuvy]+)$/.test(source) ||
  /^\/(?=.*[\\^$*+?()[\]{}|])(?:[^/\\]|\\.)+\/$/.test(source);

/** A path and perhaps a pattern, and where they stand. */
interface Writing {
  readonly path: string;
  readonly regex: { readonly key: string; readonly source: string } | null;
  readonly place: Place;
}

function* writingsOf({ match, action }: Rule): Generator<Writing> {
  yield* leavesOf(match);
  if (action.type !== 'transform') return;
  const parent = { parent: { parent: null, key: 'action' }, key: 'ops' };
  for (const [key, op] of action.ops.entries()) yield opWriting(op, { parent, key });
}

/** In document order. */
function* leavesOf(match: Match): Generator<Writing> {
  const pending: { readonly node: Match; readonly place: Place }[] = [
    { node: match, place: { parent: null, key: 'match' } },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, place } = next;
    if (!isGroup(node)) {
      yield leafWriting(node, place);
      continue;
    }
    const parent = { parent: place, key: node.all === undefined ? 'any' : 'all' };
    const children = childrenOf(node);
    for (let key = children.length - 1; key >= 0; key--) {
      pending.push({ node: children[key] as Match, place: { parent, key } });
    }
  }
}

const leafWriting = (leaf: Leaf, place: Place): Writing => ({
  path: leaf.path,
  regex: leaf.op === 'matches' || leaf.op === 'not_matches' ? { key: 'value', source: leaf.value } : null,
  place,
});

const opWriting = (op: TransformOp, place: Place): Writing => ({
  path: op.path,
  regex: op.op === 'redact' ? { key: 'regex', source: op.regex } : null,
  place,
});
