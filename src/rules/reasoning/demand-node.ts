/** The demands on a value and on the values in it, as a tree of paths. */
import type { Json } from '../../json.js';
import type { Path, Segment } from '../path.js';
import type { LeafDemand } from './demand.js';
import { OBJECT } from './kinds.js';
import { shapeWithin, type Shape } from './shape.js';

/** A value; `undefined` means that the path is absent. */
export interface Found {
  readonly value: Json | undefined;
}

/** No value meets the demands. */
export const NONE = 'none';
/** Some value may meet them, but none was found. */
export const OPEN = 'open';
export type Outcome = Found | typeof NONE | typeof OPEN;

export const ABSENT: Found = { value: undefined };

/** Segments of a path that are looked at; what lies deeper stays open. */
export const MAX_DEPTH = 64;

/** The demands at a path and below. Made for one question. */
export class DemandNode {
  readonly demands: LeafDemand[] = [];
  readonly children = new Map<string, { readonly segment: Segment; readonly node: DemandNode }>();
  readonly shape: Shape;
  /** A value for the path, once one was looked for. */
  outcome: Outcome | null = null;
  #absence: boolean | null = null;

  constructor(shape: Shape) {
    this.shape = shape;
  }

  /**
   * Adds a demand, or takes back the last one, at a path below; outcomes on the way are forgotten.
   *
   * @param path - At most {@link MAX_DEPTH} segments.
   * @param depth - Segments of the path that lead here.
   */
  change(path: Path, change: (demands: LeafDemand[]) => void, depth = 0): void {
    this.outcome = null;
    this.#absence = null;
    const segment = path[depth];
    if (segment === undefined) change(this.demands);
    else this.#child(segment).change(path, change, depth + 1);
  }

  #child(segment: Segment): DemandNode {
    const known = this.children.get(segment.key)?.node;
    if (known !== undefined) return known;
    const node = new DemandNode(shapeWithin(this.shape, segment.key, segment.index >= 0));
    this.children.set(segment.key, { segment, node });
    return node;
  }

  /** All demands at the path and below. */
  *all(): Generator<{ readonly path: Path; readonly demand: LeafDemand }> {
    const pending: { node: DemandNode; path: Path }[] = [{ node: this, path: [] }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const demand of next.node.demands) yield { path: next.path, demand };
      for (const { segment, node } of next.node.children.values()) {
        pending.push({ node, path: [...next.path, segment] });
      }
    }
  }

  /** Whether all demands at the path and below are met if it is absent. */
  allowsAbsence(): boolean {
    return (this.#absence ??=
      this.demands.every((demand) => demand.allowsAbsence) &&
      [...this.children.values()].every(({ node }) => node.allowsAbsence()));
  }

  /** The demands of the lowest node for which there is no value. */
  conflict(): readonly LeafDemand[] {
    for (const { node } of this.children.values()) {
      // A member that an object must have is missing in a value of another kind, unless there is only one kind.
      const isAlone = !node.allowsAbsence() || this.shape.kinds === OBJECT;
      if (node.outcome === NONE && isAlone) return node.conflict();
    }
    return [...this.all()].map(({ demand }) => demand);
  }
}
