/** What must hold of an event, path by path. */
import type { Step } from '../match.js';
import { escapeKey, type Path, type Segment } from '../path.js';
import type { Leaf } from '../rule.js';
import type { Condition } from './condition.js';
import { isPossible } from './possible.js';

/** A condition and the step that asked for it, which was taken as the `at`th. */
export interface KnownCondition extends Condition {
  readonly step: Step;
  readonly at: number;
}

/** Levels of a path on which its conditions are kept, besides its end. */
const MAX_LEVELS = 16;

/** Conditions kept for one value. With fewer conditions more is possible, so what lint says stays true. */
const MAX_CONDITIONS = 32;

/**
 * Conditions, each kept for the value that it is about and for all values above: `data.a` cannot be 5
 * where `data.a.b` exists. The last ones can be taken back.
 */
export class Known {
  readonly #conditions = new Map<string, KnownCondition[]>();
  readonly #taken: { readonly step: Step; readonly lists: readonly KnownCondition[][] }[] = [];

  /** How many steps were taken. */
  get height(): number {
    return this.#taken.length;
  }

  /** Adds a condition; returns those that no value can meet together, if there are such. */
  take(step: Step, must: boolean): readonly KnownCondition[] | null {
    const lists: KnownCondition[][] = [];
    const at = this.#taken.push({ step, lists }) - 1;
    const { leaf, test, path } = step;
    for (const { key, depth } of levelsOf(leaf, path)) {
      const list = this.#conditions.get(key) ?? [];
      this.#conditions.set(key, list);
      if (list.length === MAX_CONDITIONS) continue;
      list.push({ leaf, test, must, below: path.slice(depth), step, at });
      lists.push(list);
      if (list.some(({ below }) => below.length === 0) && !isPossible(list)) return [...list];
    }
    return null;
  }

  /** Takes back all but the first steps. */
  backTo(height: number): void {
    for (const { lists } of this.#taken.splice(height)) for (const list of lists) list.pop();
  }

  /** The steps taken from a height on. */
  stepsFrom(height: number): readonly Step[] {
    return this.#taken.slice(height).map(({ step }) => step);
  }
}

/** The values on a leaf's way from the root, its own last: each path as text and in segments. */
export function levelsOf(
  leaf: Leaf,
  path: Path,
): readonly { readonly key: string; readonly depth: number }[] {
  const levels = [];
  let key = '';
  for (let depth = 1; depth < path.length && depth <= MAX_LEVELS; depth++) {
    key += (depth === 1 ? '' : '.') + escapeKey((path[depth - 1] as Segment).key);
    levels.push({ key, depth });
  }
  levels.push({ key: leaf.path, depth: path.length });
  return levels;
}
