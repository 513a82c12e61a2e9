/**
 * Covers: what to find a rule by.
 *
 * A cover is a set of leaves of which at least one holds whenever the rule matches. A leaf covers itself; `all` is
 * covered by any one of its children, so it takes the lightest; `any` only by all of them together. Where no index
 * can tell of a leaf (`neq`, `missing`, the `not_` forms) there is no cover, and an `any` around it has none either.
 */
import { childrenOf, isGroup } from '../match/index.js';
import type { AllGroup, AnyGroup, Match } from '../rule.js';

/** A leaf, found by keys of which the event has one if it holds. */
export interface KeyAccess {
  readonly leaf: number;
  readonly keys: readonly number[];
}

/** Bounds on one path, by the leaves that set them; found by the interval between them. */
export interface RangeAccess {
  readonly path: number;
  readonly lower: number | undefined;
  readonly upper: number | undefined;
}

export type Access = KeyAccess | RangeAccess;

export interface Cover {
  /** How likely, it is thought, an event is to reach the rule by this cover: 0..1, or more where it is costly too. */
  readonly weight: number;
  /** One of these is met whenever the rule matches. */
  readonly accesses: Access[];
}

/** What weighs leaves and ranges. */
export interface Scales {
  /** `null` where no index can tell of the leaf. */
  leaf(leaf: number): Cover | null;
  range(range: RangeAccess): Cover;
}

/** A group whose children are being covered. */
interface Frame {
  readonly all: boolean;
  readonly children: readonly Match[];
  next: number;
  /** The lightest child so far of `all`, all children so far of `any`. */
  cover: Cover | null;
  /** A child of `any` had no cover. */
  open: boolean;
  /** Lone bounds among the children of `all`, by path. */
  ranges: Map<number, RangeAccess> | null;
}

/**
 * The lightest cover of a tree; `null` where it has none. By a loop, in time that is linear in the tree.
 *
 * @param leafAt - The number of a leaf, by its place in the document.
 */
export function coverOf(match: Match, leafAt: (place: number) => number, scales: Scales): Cover | null {
  const frames: Frame[] = [];
  let place = 0;
  let node: Match | null = match;
  let done: Cover | null = null;
  for (;;) {
    if (node !== null && isGroup(node)) {
      frames.push(open(node));
    } else {
      if (node !== null) done = scales.leaf(leafAt(place++));
      const frame = frames.at(-1);
      if (frame === undefined) return done;
      take(frame, done, scales);
    }
    const frame = frames.at(-1) as Frame;
    node = frame.children[frame.next++] ?? null;
    if (node === null) {
      frames.pop();
      done = frame.open ? null : frame.cover;
    }
  }
}

const open = (group: AllGroup | AnyGroup): Frame => ({
  all: 'all' in group,
  children: childrenOf(group),
  next: 0,
  cover: null,
  open: false,
  ranges: null,
});

/** Adds the cover of one more child. */
function take(frame: Frame, cover: Cover | null, scales: Scales): void {
  if (!frame.all) {
    if (cover === null) frame.open = true;
    else if (!frame.open) frame.cover = frame.cover === null ? cover : together(frame.cover, cover);
  } else if (cover !== null) {
    frame.cover = lighter(narrowed(frame, cover, scales), lighter(frame.cover, cover));
  }
}

const lighter = (a: Cover | null, b: Cover | null): Cover | null =>
  a === null ? b : b === null || a.weight <= b.weight ? a : b;

/** The shorter list goes into the longer, so that deep trees take linear time. */
function together(a: Cover, b: Cover): Cover {
  const [longer, shorter] =
    a.accesses.length >= b.accesses.length ? [a.accesses, b.accesses] : [b.accesses, a.accesses];
  for (const access of shorter) longer.push(access);
  return { weight: a.weight + b.weight, accesses: longer };
}

/** A lone bound joined with its opposite on the same path, if that came before. */
function narrowed(frame: Frame, cover: Cover, scales: Scales): Cover | null {
  const [access] = cover.accesses;
  if (cover.accesses.length !== 1 || access === undefined || !('path' in access)) return null;
  frame.ranges ??= new Map<number, RangeAccess>();
  const before = frame.ranges.get(access.path);
  const range = {
    path: access.path,
    lower: access.lower ?? before?.lower,
    upper: access.upper ?? before?.upper,
  };
  frame.ranges.set(access.path, range);
  return before === undefined ? null : scales.range(range);
}

/** Leaves of which one holds when the access is met. */
export const leavesOf = (access: Access): readonly number[] =>
  'keys' in access ? [access.leaf] : [access.lower, access.upper].filter((leaf) => leaf !== undefined);
