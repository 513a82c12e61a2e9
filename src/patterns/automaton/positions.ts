/**
 * The position automaton of a pattern (Glushkov): one state, called position, for each character or class of the
 * pattern that takes a character, with counted repetition written out.
 *
 * Assertions between two positions become the condition of the step from one to the other. A small pattern has at most
 * 32 positions, so that a set of them is one word.
 */
import type { CodePoints } from '../code-points.js';
import { union } from '../code-points.js';
import { foldCase } from '../escapes.js';
import type { Character, CharacterClass, Node, Repeat } from '../tree.js';
import { ANYWHERE, INSIDE, contextsOf, type Contexts } from './contexts.js';

/** The most positions of which a word can hold a set. */
export const MAX_POSITIONS = 32;

/** A representation of sets of positions: words for small patterns, integers of any size for large ones. */
export interface Sets<Bits> {
  /** The set of one position. */
  of(position: number): Bits;
  union(some: Bits, more: Bits): Bits;
}

/** Sets of at most {@link MAX_POSITIONS} positions. */
export const words: Sets<number> = {
  of: (position) => 1 << position,
  union: (some, more) => some | more,
};

/** Sets of any number of positions. */
export const integers: Sets<bigint> = {
  of: (position) => 1n << BigInt(position),
  union: (some, more) => some | more,
};

/** Positions that count only in some contexts. */
export interface Conditional<Bits = number> {
  readonly positions: Bits;
  readonly when: Contexts;
}

/** Steps from each of some positions to each of others, in some contexts. */
export interface Step<Bits = number> {
  readonly from: Bits;
  readonly to: Bits;
  readonly when: Contexts;
}

/** The positions with which a part of a pattern begins, or those with which it ends. */
type Ends<Bits> = readonly Conditional<Bits>[];

/**
 * A part of a pattern: the positions with which it begins and ends, and the contexts in which it matches empty text.
 */
interface Part<Bits> {
  readonly first: Ends<Bits>;
  readonly last: Ends<Bits>;
  readonly empty: Contexts;
}

/** The position automaton of a pattern. */
export interface Positions<Bits = number> extends Part<Bits> {
  /** The positions that take the characters of a set. */
  readonly takes: ReadonlyMap<CodePoints, Bits>;
  readonly steps: readonly Step<Bits>[];
}

/** Whether a pattern is small: at most {@link MAX_POSITIONS} positions, all of known characters. */
export const fitsAutomaton = (tree: Node): boolean => countPositions(tree) <= MAX_POSITIONS;

/** How many positions a pattern has; `Infinity` where only the engine knows the characters of one. */
export function countPositions(node: Node): number {
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

/** Builds the position automaton of a pattern. */
export function positionsOf<Bits>(tree: Node, sets: Sets<Bits>): Positions<Bits> {
  const builder = new Builder(sets);
  return { ...builder.build(tree), takes: builder.takes, steps: builder.steps };
}

/** Builds the parts of one pattern, from the leaves up, and notes the characters and the steps of its positions. */
class Builder<Bits> {
  readonly takes = new Map<CodePoints, Bits>();
  readonly steps: Step<Bits>[] = [];
  readonly #sets: Sets<Bits>;
  readonly #known = new Map<Node, CodePoints>();
  readonly #nothing: Part<Bits> = { first: [], last: [], empty: ANYWHERE };
  #count = 0;

  constructor(sets: Sets<Bits>) {
    this.#sets = sets;
  }

  build(node: Node): Part<Bits> {
    switch (node.kind) {
      case 'empty':
        return this.#nothing;
      case 'assertion':
        return { first: [], last: [], empty: contextsOf[node.at] };
      case 'character':
      case 'class':
        return this.#position(node);
      case 'group':
        return this.build(node.node);
      case 'sequence':
        return node.nodes.reduce((part, next) => this.#follow(part, this.build(next)), this.#nothing);
      case 'choice':
        return node.nodes.map((part) => this.build(part)).reduce((one, other) => this.#either(one, other));
      case 'repeat':
        return this.#repeat(node);
    }
  }

  #position(node: Character | CharacterClass): Part<Bits> {
    let taken = this.#known.get(node);
    if (taken === undefined) this.#known.set(node, (taken = charactersOf(node)));
    const position = this.#sets.of(this.#count++);
    const others = this.takes.get(taken);
    this.takes.set(taken, others === undefined ? position : this.#sets.union(others, position));
    const ends = [{ positions: position, when: ANYWHERE }];
    return { first: ends, last: ends, empty: 0 };
  }

  #repeat({ node, min, max }: Repeat): Part<Bits> {
    if (max === 0) return this.#nothing;
    let part = this.#nothing;
    for (let i = 1; i < min; i++) part = this.#follow(part, this.build(node));
    if (max === Infinity) return this.#follow(part, this.#loop(this.build(node), min));
    if (min > 0) part = this.#follow(part, this.build(node));
    return this.#follow(part, this.#upTo(node, max - min));
  }

  /** `x{0,3}` as `(x(x(x)?)?)?`, in which each round leads to the next one or ends the repetition. */
  #upTo(node: Node, times: number): Part<Bits> {
    if (times === 0) return this.#nothing;
    return { ...this.#follow(this.build(node), this.#upTo(node, times - 1)), empty: ANYWHERE };
  }

  #loop(part: Part<Bits>, min: number): Part<Bits> {
    this.#connect(part.last, part.first);
    return min === 0 ? { ...part, empty: ANYWHERE } : part;
  }

  #follow(part: Part<Bits>, next: Part<Bits>): Part<Bits> {
    this.#connect(part.last, next.first);
    return {
      first: this.#merge(part.first, where(next.first, part.empty)),
      last: this.#merge(next.last, where(part.last, next.empty)),
      empty: part.empty & next.empty,
    };
  }

  #connect(from: Ends<Bits>, to: Ends<Bits>): void {
    for (const before of from) {
      for (const after of to) {
        const when = before.when & after.when & INSIDE;
        if (when !== 0) this.steps.push({ from: before.positions, to: after.positions, when });
      }
    }
  }

  #either(one: Part<Bits>, other: Part<Bits>): Part<Bits> {
    return {
      first: this.#merge(one.first, other.first),
      last: this.#merge(one.last, other.last),
      empty: one.empty | other.empty,
    };
  }

  /** The union, with one entry for each condition. */
  #merge(some: Ends<Bits>, more: Ends<Bits>): Ends<Bits> {
    if (more.length === 0) return some;
    const merged = [...some];
    for (const { positions, when } of more) {
      const at = merged.findIndex((entry) => entry.when === when);
      const alike = merged[at];
      if (alike === undefined) merged.push({ positions, when });
      else merged[at] = { positions: this.#sets.union(alike.positions, positions), when };
    }
    return merged;
  }
}

function where<Bits>(ends: Ends<Bits>, contexts: Contexts): Ends<Bits> {
  if (contexts === ANYWHERE) return ends;
  const kept: Conditional<Bits>[] = [];
  for (const { positions, when } of ends) {
    if ((when & contexts) !== 0) kept.push({ positions, when: when & contexts });
  }
  return kept;
}

function charactersOf(node: Character | CharacterClass): CodePoints {
  if (node.kind === 'class') return node.members as CodePoints;
  return node.fold ? union(foldCase([node.point, node.point]) as CodePoints) : [node.point, node.point];
}
