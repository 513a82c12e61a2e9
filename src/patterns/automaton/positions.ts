/**
 * The position automaton of a pattern (Glushkov): a state for each place of the pattern that takes a character,
 * repetition spelled out.
 *
 * A set of positions is a 32-bit word, so a pattern has at most 32 of them here. What stands between two
 * positions, assertions, becomes the condition of the step from one to the other.
 */
import type { CodePoints } from '../code-points.js';
import { union } from '../code-points.js';
import { foldCase } from '../escapes.js';
import type { Character, CharacterClass, Node, Repeat } from '../tree.js';
import { ANYWHERE, INSIDE, contextsOf, type Contexts } from './contexts.js';

/** Positions that fit into a word. */
export const MAX_POSITIONS = 32;

/** Positions, and where they count. */
export interface Conditional {
  readonly positions: number;
  readonly when: Contexts;
}

/** From each of some positions to each of others, where the place between them is right. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly when: Contexts;
}

/** What of a pattern begins, ends and is empty where. */
interface Part {
  readonly first: readonly Conditional[];
  readonly last: readonly Conditional[];
  readonly empty: Contexts;
}

/** A pattern as positions. */
export interface Positions extends Part {
  /** Which positions take a character of a set. */
  readonly takes: ReadonlyMap<CodePoints, number>;
  readonly steps: readonly Step[];
}

/** Whether a pattern has few enough positions, and every one takes characters that are known here. */
export const fitsAutomaton = (tree: Node): boolean => countPositions(tree) <= MAX_POSITIONS;

/** `Infinity` where only the engine knows what a position takes. */
function countPositions(node: Node): number {
  switch (node.kind) {
    case 'character':
      return node.fold && node.point > 0x7f ? Infinity : 1;
    case 'class':
      return node.members === null ? Infinity : 1;
    case 'group':
      return countPositions(node.node);
    case 'repeat':
      return node.max === 0 ? 0 : copiesOf(node) * countPositions(node.node);
    case 'sequence':
    case 'choice':
      return node.nodes.reduce((positions, part) => positions + countPositions(part), 0);
    default:
      return 0;
  }
}

const copiesOf = ({ min, max }: Repeat): number => (max === Infinity ? Math.max(1, min) : max);

/** The positions of a pattern that fits. */
export function positionsOf(tree: Node): Positions {
  const sets = new Map<Node, CodePoints>();
  const takes = new Map<CodePoints, number>();
  const steps: Step[] = [];
  let count = 0;

  function build(node: Node): Part {
    switch (node.kind) {
      case 'empty':
        return nothing;
      case 'assertion':
        return { first: [], last: [], empty: contextsOf[node.at] };
      case 'character':
      case 'class':
        return place(node);
      case 'group':
        return build(node.node);
      case 'sequence':
        return node.nodes.reduce((part, next) => follow(part, build(next)), nothing);
      case 'choice':
        return node.nodes.map(build).reduce(either);
      case 'repeat':
        return repeat(node);
    }
  }

  function place(node: Character | CharacterClass): Part {
    let set = sets.get(node);
    if (set === undefined) sets.set(node, (set = setOf(node)));
    const position = 1 << count++;
    takes.set(set, (takes.get(set) ?? 0) | position);
    const ends = [{ positions: position, when: ANYWHERE }];
    return { first: ends, last: ends, empty: 0 };
  }

  function repeat({ node, min, max }: Repeat): Part {
    if (max === 0) return nothing;
    let part = nothing;
    for (let i = 1; i < min; i++) part = follow(part, build(node));
    if (max === Infinity) return follow(part, loop(build(node), min));
    if (min > 0) part = follow(part, build(node));
    return follow(part, upTo(node, max - min));
  }

  /** `(x(x(x)?)?)?`, so that a position leads to the next one and out. */
  function upTo(node: Node, times: number): Part {
    if (times === 0) return nothing;
    return { ...follow(build(node), upTo(node, times - 1)), empty: ANYWHERE };
  }

  function loop(part: Part, min: number): Part {
    connect(part.last, part.first);
    return min === 0 ? { ...part, empty: ANYWHERE } : part;
  }

  function follow(part: Part, next: Part): Part {
    connect(part.last, next.first);
    return {
      first: merge(part.first, where(next.first, part.empty)),
      last: merge(next.last, where(part.last, next.empty)),
      empty: part.empty & next.empty,
    };
  }

  function connect(from: readonly Conditional[], to: readonly Conditional[]): void {
    for (const before of from)
      for (const after of to) {
        const when = before.when & after.when & INSIDE;
        if (when !== 0) steps.push({ from: before.positions, to: after.positions, when });
      }
  }

  return { ...build(tree), takes, steps };
}

const nothing: Part = { first: [], last: [], empty: ANYWHERE };

function either(one: Part, other: Part): Part {
  return {
    first: merge(one.first, other.first),
    last: merge(one.last, other.last),
    empty: one.empty | other.empty,
  };
}

/** Both, one entry for a condition. */
function merge(some: readonly Conditional[], more: readonly Conditional[]): readonly Conditional[] {
  if (more.length === 0) return some;
  const merged = [...some];
  for (const entry of more) {
    const at = merged.findIndex(({ when }) => when === entry.when);
    if (at < 0) merged.push(entry);
    else
      merged[at] = { positions: entry.positions | (merged[at] as Conditional).positions, when: entry.when };
  }
  return merged;
}

function where(ends: readonly Conditional[], contexts: Contexts): readonly Conditional[] {
  if (contexts === ANYWHERE) return ends;
  const kept: Conditional[] = [];
  for (const { positions, when } of ends)
    if ((when & contexts) !== 0) kept.push({ positions, when: when & contexts });
  return kept;
}

function setOf(node: Character | CharacterClass): CodePoints {
  if (node.kind === 'class') return node.members as CodePoints;
  return node.fold ? union(foldCase([node.point, node.point]) as CodePoints) : [node.point, node.point];
}
