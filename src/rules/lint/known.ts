/** What must hold of an event, value by value. */
import type { Step } from '../match.js';
import { escapeKey } from '../path.js';
import type { Condition } from './condition.js';
import { isPossible } from './possible.js';

/** A condition that was the `at`th to be taken. */
export interface KnownCondition extends Condition {
  readonly at: number;
}

/** Values above that of a leaf for which its condition is kept. */
const MAX_LEVELS = 16;

/** Conditions kept for one value. With fewer of them more is possible, so what lint says stays true. */
const MAX_CONDITIONS = 32;

/**
 * Conditions, each kept for the value that it asks about and for those above: `data.a` cannot be 5 where
 * `data.a.b` exists. The last ones can be taken back.
 */
export class Known {
  readonly #byPath = new Map<string, KnownCondition[]>();
  readonly #lists: KnownCondition[][][] = [];

  /** How many conditions were taken. */
  get height(): number {
    return this.#lists.length;
  }

  /** Adds a condition; returns those that no value can meet together, if there are such. */
  take(step: Step, must: boolean): readonly KnownCondition[] | null {
    const lists: KnownCondition[][] = [];
    const at = this.#lists.push(lists) - 1;
    for (const [level, path] of pathsTo(step).entries()) {
      const list = this.#byPath.get(path) ?? [];
      this.#byPath.set(path, list);
      if (list.length === MAX_CONDITIONS) continue;
      list.push({ step, must, below: path === step.leaf.path ? [] : step.path.slice(level + 1), at });
      lists.push(list);
      if (list.some(({ below }) => below.length === 0) && !isPossible(list)) return [...list];
    }
    return null;
  }

  /** Takes back all conditions but the first ones. */
  backTo(height: number): void {
    for (const lists of this.#lists.splice(height)) for (const list of lists) list.pop();
  }
}

/** The path of a leaf, last, after those above it. */
export function pathsTo({ leaf, path }: Step): readonly string[] {
  const paths: string[] = [];
  for (const { key } of path.slice(0, Math.min(path.length - 1, MAX_LEVELS))) {
    paths.push((paths.length === 0 ? '' : `${paths.at(-1) ?? ''}.`) + escapeKey(key));
  }
  return [...paths, leaf.path];
}
