/**
 * Conditions under which an effect shows: a tag that the event does not have yet, an op that has something to change.
 */
import { numberIn } from '../values/index.js';
import { STAR, parsePath, type Path } from '../path.js';
import type { Match, TransformOp } from '../rule.js';
import { meet, textOf, type Effect, type Effects } from './effects.js';

/** A tree that must match, or must not, for an effect to show. */
export interface Hint {
  readonly match: Match;
  readonly must: boolean;
}

/** An effect of which it is sure that it happens, and which one list has and the other does not have there. */
export interface Candidate {
  readonly item: unknown;
  /** Without these the effect changes nothing; `null` if other effects may bring them about. */
  readonly needs: Hint | null;
  /** More that helps it to show. */
  readonly hints: readonly Hint[];
}

/** The tags that may be all that differs. */
export const tagCandidates = (effects: readonly Effect<string>[]): readonly Candidate[] =>
  [...new Set(effects.flatMap(({ items }) => items))].map((tag) => ({
    item: tag,
    needs: { match: { path: 'tags', op: 'contains', value: tag }, must: false },
    hints: [],
  }));

/**
 * The ops that may be all that differs.
 *
 * @param all - The effects of both lists, all rules.
 */
export function opCandidates(
  [before = [], after = []]: readonly (readonly Effect<TransformOp>[])[],
  all: readonly Effects[],
): readonly Candidate[] {
  const [one, other] = [before, after].map((effects) => effects.flatMap(({ items }) => items)) as [
    TransformOp[],
    TransformOp[],
  ];
  const known = [new Set(one.map(textOf)), new Set(other.map(textOf))] as const;
  const alone = [
    ...one.filter((op) => !known[1].has(textOf(op))),
    ...other.filter((op) => !known[0].has(textOf(op))),
  ];
  const every = all.flatMap(({ ops }) => ops).flatMap(({ items }) => items);
  return (alone.length > 0 ? alone : [...one, ...other]).map((op) => candidateOf(op, alone, every));
}

function candidateOf(
  op: TransformOp,
  alone: readonly TransformOp[],
  every: readonly TransformOp[],
): Candidate {
  const path = parsePath(op.path) as Path;
  const text = textOf(op);
  const isAlone = every.every((each) => textOf(each) === text || !meet(path, parsePath(each.path) as Path));
  return {
    item: op,
    needs: isAlone ? { match: needOf(op), must: true } : null,
    hints: hintsOf(op, alone).map((match) => ({ match, must: true })),
  };
}

/** A condition on the value that an op changes. */
function needOf(op: TransformOp): Match {
  const { path } = op;
  const isOne = !(parsePath(path) as Path).includes(STAR);
  if (op.op === 'set' && isOne && typeof op.value !== 'number' && !isNumeral(op.value)) {
    return { path, op: 'neq', value: op.value };
  }
  if (op.op === 'redact' && op.deep !== true) return { path, op: 'matches', value: op.regex };
  // The other ops but one that is deep change texts alone.
  return op.op === 'set' || op.op === 'redact'
    ? { path, op: 'exists' }
    : { path, op: 'starts_with', value: '' };
}

const isNumeral = (value: unknown): boolean => typeof value === 'string' && numberIn(value) !== undefined;

/** Trees whose events the op is likely to change, and others not in the same way. */
function hintsOf(op: TransformOp, alone: readonly TransformOp[]): readonly Match[] {
  const { path } = op;
  switch (op.op) {
    case 'set':
      return [{ path, op: 'neq', value: op.value }];
    case 'uppercase':
      return [{ path, op: 'matches', value: '[a-z]' }];
    case 'lowercase':
      return [{ path, op: 'matches', value: '[A-Z]' }];
    case 'trim':
      return [{ path, op: 'matches', value: '^ ' }];
    case 'redact': {
      const found: Match = { path, op: 'matches', value: op.regex };
      const others = alone.filter(
        (other) => other.op === 'redact' && other.path === path && other.regex !== op.regex,
      );
      const apart = others.map((other): Match => ({
        all: [found, { path, op: 'not_matches', value: other.op === 'redact' ? other.regex : '' }],
      }));
      return [...apart, found];
    }
  }
}
