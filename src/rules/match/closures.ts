/**
 * Match trees as closures, one for each leaf and each group: the fastest way to try a tree alone that makes no code
 * from text.
 *
 * Leaves that read from the same container, and stand side by side, are a *scope*: it reads the container once for all
 * of them. In a scope a leaf takes its member without asking whether it is inherited, and that is asked where the scope
 * holds, for all leaves at once. Until then the answer errs to one side: what is inherited can make a leaf hold that
 * does not, and never the other way around. In a scope with others inside each leaf that holds asks for itself, so that
 * no part of a tree runs twice at each level.
 */
import type { PatternOptions } from '../../patterns/index.js';
import { STAR } from '../path.js';
import { childrenOf, isGroup } from '../tree.js';
import { askElements, askMember, askOwnMember, hasPattern, type Holds } from './member.js';
import { isContainer, isInherited, isPlain, readerOf, type Container } from './reader.js';
import type { Leaf, Match } from '../rule.js';
import type { Account } from '../values/index.js';
import { arrange, holdsOnNothing, leavesAt, type LeafNode, type TreeNode } from './tree-node.js';

/** Groups within groups, at most: each takes a little of the stack. */
export const MAX_DEPTH = 32;

/** Keys of a scope, at most, that are asked about where it holds: beyond, each leaf that holds asks for itself. */
const MAX_KEYS = 16;

/** Whether a tree matches an event. A leaf that is undecided counts as not held. */
export type Predicate = (event: unknown, account: Account) => boolean;

/** Makes the closure of a leaf, which is handed the container at the leaf's parent. */
type AskLeaf = (node: LeafNode) => Holds;

/** Compiles a tree that has been validated; `null` if it is deeper than {@link MAX_DEPTH}. */
export function compileClosures(match: Match, options: PatternOptions): Predicate | null {
  const leaves = shallowLeaves(match);
  if (leaves === null) return null;
  return new Closures(options, leaves.some(hasPattern)).scope(arrange(match), 0);
}

/** Makes the closures of one tree; thrown away when they are made, but for what a scope still needs to ask exactly. */
class Closures {
  /** Makes leaves that may take an inherited member for an own one, unless no leaf of the tree may. */
  readonly #ask: AskLeaf;
  readonly #askOwn: AskLeaf;

  /**
   * @param hasPatterns - Whether some leaf spends a budget. Then no leaf may hold wrongly, not even for a moment: those
   *   after it would be asked, spend the budget, and leave others undecided.
   */
  constructor(options: PatternOptions, hasPatterns: boolean) {
    const asking =
      (ask: typeof askMember) =>
      ({ leaf, last, rest }: LeafNode) =>
        last === STAR ? askElements(leaf, rest, options) : ask(leaf, last, options);
    this.#askOwn = asking(askOwnMember);
    this.#ask = hasPatterns ? this.#askOwn : asking(askMember);
  }

  /**
   * @param depth - How many segments lead to the container that the closure is handed.
   */
  scope(node: TreeNode, depth: number): Predicate {
    const read = readerOf(node.parent.slice(depth));
    const holds = this.#inside(node);
    const ifAbsent = holdsOnNothing(node);
    return (container, account) => {
      const inner = read(container);
      return isContainer(inner) ? holds(inner, account) : ifAbsent;
    };
  }

  /** Whether a tree holds on the container at its parent. */
  #inside(node: TreeNode): Holds {
    const keys = [
      ...new Set(
        leavesAt(node)
          .filter(({ last }) => last !== STAR)
          .map(({ last }) => last.key),
      ),
    ];
    const exactly = (): Holds => this.#compile(node, this.#askOwn, node.parent.length);
    if (this.#ask === this.#askOwn || keys.length < 2 || keys.length > MAX_KEYS) return exactly();
    if (this.#hasScope(node, node.parent.length)) return exactly();
    const mayHold = this.#compile(node, this.#ask, node.parent.length);
    // Made when an event first has members that may be inherited: hardly any ever has.
    let holds: Holds | null = null;
    return (container, account) =>
      mayHold(container, account) && (ownsAll(container, keys) || (holds ??= exactly())(container, account));
  }

  /** Whether some leaves of a tree lie further down than its own container. */
  #hasScope(node: TreeNode, depth: number): boolean {
    if (node.parent.length > depth) return true;
    return !('leaf' in node) && node.children.some((child) => this.#hasScope(child, depth));
  }

  #compile(node: TreeNode, ask: AskLeaf, depth: number): Holds {
    if (node.parent.length > depth) return this.scope(node, depth);
    if ('leaf' in node) return ask(node);
    const children = node.children.map((child) => this.#compile(child, ask, depth));
    return node.isAll ? allOf(children) : anyOf(children);
  }
}

/** Whether what a container has under any of the keys is surely its own. */
function ownsAll(container: Container, keys: readonly string[]): boolean {
  for (const key of keys) {
    if (isInherited(key)) return false;
  }
  return isPlain(container);
}

function allOf(children: readonly Holds[]): Holds {
  const [a, b, c, d] = children as readonly [Holds, Holds, Holds, Holds];
  switch (children.length) {
    case 1:
      return a;
    case 2:
      return (container, account) => a(container, account) && b(container, account);
    case 3:
      return (container, account) => a(container, account) && b(container, account) && c(container, account);
    case 4:
      return (container, account) =>
        a(container, account) && b(container, account) && c(container, account) && d(container, account);
    default:
      return (container, account) => {
        for (const holds of children) {
          if (!holds(container, account)) return false;
        }
        return true;
      };
  }
}

function anyOf(children: readonly Holds[]): Holds {
  const [a, b, c, d] = children as readonly [Holds, Holds, Holds, Holds];
  switch (children.length) {
    case 1:
      return a;
    case 2:
      return (container, account) => a(container, account) || b(container, account);
    case 3:
      return (container, account) => a(container, account) || b(container, account) || c(container, account);
    case 4:
      return (container, account) =>
        a(container, account) || b(container, account) || c(container, account) || d(container, account);
    default:
      return (container, account) => {
        for (const holds of children) {
          if (holds(container, account)) return true;
        }
        return false;
      };
  }
}

/** The leaves of a tree; `null` if it is deeper than {@link MAX_DEPTH}. */
function shallowLeaves(match: Match): readonly Leaf[] | null {
  const leaves: Leaf[] = [];
  let level: readonly Match[] = [match];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return null;
    for (const node of level) {
      if (!isGroup(node)) leaves.push(node);
    }
    level = level.flatMap((node) => (isGroup(node) ? childrenOf(node) : []));
  }
  return leaves;
}
