/** The conditions that an event must meet, value by value. */
import type { Step } from '../match/index.js';
import { escapeKey, type Segment } from '../path.js';
import { isAboutItself, type Condition, type SizedStep } from './condition.js';
import type { Effort } from './effort.js';
import { isPossible } from './possible.js';

/** A condition, and the height of the turn that goes on without it. */
export interface KnownCondition extends Condition {
  readonly turn: number;
}

/** Conditions that no value can meet together; the last was taken last. */
export type Conflict = readonly KnownCondition[];

/** Values above that of a leaf for which its condition is kept. */
const MAX_LEVELS = 16;

/** Conditions kept for one value. With fewer of them more is possible, so what lint says stays true. */
const MAX_CONDITIONS = 16;

/**
 * Conditions, each kept for the value that it asks about and for those above: `data.a` cannot be 5 where
 * `data.a.b` exists. The last ones can be taken back.
 */
export class Known {
  readonly #byPath = new Map<string, KnownCondition[]>();
  readonly #lists: KnownCondition[][][] = [];
  readonly #effort: Effort;

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  /** How many conditions were taken. */
  get height(): number {
    return this.#lists.length;
  }

  /** Adds the condition of a step, unless it conflicts with what is known. */
  take(step: SizedStep, must: boolean, turn: number): Conflict | null {
    const lists: KnownCondition[][] = [];
    this.#lists.push(lists);
    if (!this.#effort.affords(pathsPrice(step))) return null;
    for (const [level, path] of pathsTo(step).entries()) {
      const list = this.#byPath.get(path) ?? [];
      this.#byPath.set(path, list);
      const depth = path === step.leaf.path ? step.path.length : level + 1;
      const condition = { step, must, depth, turn };
      const conflict = conflictIn(list, condition, this.#effort);
      if (conflict !== null) return conflict;
      if (list.length < MAX_CONDITIONS) {
        list.push(condition);
        lists.push(list);
      }
    }
    return null;
  }

  /** Takes back all conditions but the first ones. */
  backTo(height: number): void {
    for (const lists of this.#lists.splice(height)) for (const list of lists) list.pop();
  }
}

/** The condition with as few others as make it impossible: none, or a single one, if that is enough. */
function conflictIn(
  others: readonly KnownCondition[],
  added: KnownCondition,
  effort: Effort,
): Conflict | null {
  const all = [...others, added];
  if (!all.some(isAboutItself) || isPossible(all, effort)) return null;
  const one = others.find((other) => !isPossible([other, added], effort));
  return isPossible([added], effort) ? (one === undefined ? all : [one, added]) : [added];
}

/** The price of {@link pathsTo}, which writes the keys out again for each level. */
function pathsPrice({ path }: Step): number {
  const levels = Math.min(path.length, MAX_LEVELS);
  let units = 0;
  for (let at = 0; at < levels; at++) units += (path[at] as Segment).key.length;
  return (units * levels) / 8;
}

/** The path of a leaf, last, after those above it. */
export function pathsTo({ leaf, path }: Step): readonly string[] {
  const paths: string[] = [];
  for (const { key } of path.slice(0, Math.min(path.length - 1, MAX_LEVELS))) {
    paths.push((paths.length === 0 ? '' : `${paths.at(-1) ?? ''}.`) + escapeKey(key));
  }
  return [...paths, leaf.path];
}
