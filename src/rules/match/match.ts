/**
 * Match trees as branching programs.
 *
 * A tree of `all` and `any` over leaves is flattened into its leaves, each with the step that follows
 * when it holds and the one that follows when it does not. Steps are kept last leaf first, so every jump goes down:
 * a run ends after at most one visit to each leaf, needs no stack however deep the tree was, and
 * reaches exactly the leaves that short-circuit evaluation reaches.
 */
import type { PatternOptions } from '../../patterns/index.js';
import { holdsIfAbsent, type Test } from '../operators/index.js';
import { STAR, approach, child, parsePath, readPath, textOfPath, type Path, type Segment } from '../path.js';
import type { Leaf, Match } from '../rule.js';
import { childrenOf, isGroup } from '../tree.js';
import type { Account } from '../values/index.js';
import { compileLeaf, compileStarred } from './leaf.js';

/** The ends of a run; everything else that follows a step is the index of a step. */
export const MATCHED = -1;
const NOT_MATCHED = -2;

/** One leaf, and what follows it: the index of a step, or an end. */
export interface Step {
  readonly leaf: Leaf;
  readonly path: Path;
  /**
   * The path without its last segment, or up to its first star; one object for all leaves of a program that share it.
   */
  readonly parent: Path;
  /** The segment after `parent`. */
  readonly last: Segment;
  /** Asks the value at `last`; if that is a star, the array at `parent`. */
  readonly test: Test;
  readonly ifAbsent: boolean;
  readonly ifHeld: number;
  readonly ifNot: number;
}

/** The steps of a tree, last leaf first; a run starts at the end. */
export type Program = readonly Step[];

/** Called for a leaf that could not be decided within the work budget. */
export type OnUndecided = (leaf: Leaf) => void;

/** A group whose children are being laid out, from the last to the first. */
interface Frame {
  readonly all: boolean;
  readonly children: readonly Match[];
  readonly ifHeld: number;
  readonly ifNot: number;
  remaining: number;
}

/** Compiles a tree that has been validated. */
export function compileProgram(match: Match, options: PatternOptions): Program {
  const steps: Step[] = [];
  const parents = new Map<string, Path>();
  layOut(match, (leaf, ifHeld, ifNot) => {
    const path = parsePath(leaf.path) as Path;
    const { parent: own, last, rest } = approach(path);
    const test = last === STAR ? compileStarred(leaf, rest, options) : compileLeaf(leaf, options);
    const parent = sharedParent(own, parents);
    steps.push({ leaf, path, parent, last, test, ifAbsent: holdsIfAbsent(leaf), ifHeld, ifNot });
  });
  return steps;
}

function sharedParent(own: Path, known: Map<string, Path>): Path {
  const text = textOfPath(own);
  const parent = known.get(text) ?? own;
  known.set(text, parent);
  return parent;
}

/**
 * Lays the leaves of a tree out as steps, last leaf first.
 *
 * @param step - Called for each leaf, with what follows it: the index of a step that it was called for before, or an
 *   end.
 */
export function layOut(match: Match, step: (leaf: Leaf, ifHeld: number, ifNot: number) => void): void {
  const open: Frame[] = [];
  let steps = 0;
  const add = (node: Match, ifHeld: number, ifNot: number): void => {
    if (isGroup(node)) {
      const children = childrenOf(node);
      open.push({ all: 'all' in node, children, ifHeld, ifNot, remaining: children.length });
    } else {
      step(node, ifHeld, ifNot);
      steps++;
    }
  };
  add(match, MATCHED, NOT_MATCHED);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    if (frame.remaining === 0) {
      open.pop();
      continue;
    }
    const last = frame.remaining === frame.children.length;
    const node = frame.children[--frame.remaining] as Match;
    // The step added last is the one that the sibling to the right begins with.
    const sibling = steps - 1;
    add(node, !last && frame.all ? sibling : frame.ifHeld, !last && !frame.all ? sibling : frame.ifNot);
  }
}

/** Whether a leaf holds on an event; `undefined` when undecided. */
export function holds(step: Step, event: unknown, account: Account): boolean | undefined {
  const { parent, last, test, ifAbsent } = step;
  const subject = child(readPath(event, parent), last);
  return subject === undefined ? ifAbsent : test(subject, account);
}

/** Runs a program on an event. What neighbors look into is read once. */
export function runProgram(
  program: Program,
  event: unknown,
  account: Account,
  onUndecided?: OnUndecided,
): boolean {
  let at = program.length - 1;
  let parent: Path | null = null;
  let container: unknown;
  while (at >= 0) {
    const step = program[at] as Step;
    if (step.parent !== parent) {
      parent = step.parent;
      container = readPath(event, parent);
    }
    const subject = child(container, step.last);
    const held = subject === undefined ? step.ifAbsent : step.test(subject, account);
    if (held === undefined) onUndecided?.(step.leaf);
    at = held === true ? step.ifHeld : step.ifNot;
  }
  return at === MATCHED;
}
