/** The conditions that an event must meet, value by value. */
import type { Step } from '../match/index.js';
import { escapeKey, type Segment } from '../path.js';
import { allowsAbsence, conditionOf, needsAbsence, type Condition, type SizedStep } from './condition.js';
import type { Effort } from './effort.js';
import { excludes } from './exclusion.js';

/** Conditions that no value can meet together, the one that was taken last first. */
export type Conflict = readonly Condition[];

/** Values above that of a leaf for which its condition is kept. */
const MAX_LEVELS = 16;

/** Conditions kept for one value. With fewer of them more seems possible, so a conflict stays sure. */
const MAX_CONDITIONS = 16;

/**
 * Conditions, each kept for the value of its leaf and for the values above: `data.a` cannot be 5 if `data.a.b`
 * exists. Made for one question; conditions are added one by one, and the last ones can be taken back.
 */
export class Known {
  readonly #byPath = new Map<string, Condition[]>();
  readonly #lists: Condition[][][] = [];
  readonly #effort: Effort;

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  /** The number of conditions taken. */
  get height(): number {
    return this.#lists.length;
  }

  /** Adds the condition of a step, unless it conflicts with those taken before. */
  take(step: SizedStep, must: boolean): Conflict | null {
    const lists: Condition[][] = [];
    this.#lists.push(lists);
    if (!this.#effort.affords(pathsPrice(step))) return null;
    for (const [level, path] of pathsTo(step).entries()) {
      const list = this.#byPath.get(path) ?? [];
      this.#byPath.set(path, list);
      const condition = conditionOf(step, must, path === step.leaf.path ? step.path.length : level + 1);
      const conflict = conflictOf(list, condition, this.#effort);
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
    for (const lists of this.#lists.splice(height)) {
      for (const list of lists) list.pop();
    }
  }
}

/** The conflict that a condition brings about among others on the same value. */
function conflictOf(others: readonly Condition[], added: Condition, effort: Effort): Conflict | null {
  const all = [added, ...others.toReversed()];
  const present = all.find((condition) => !allowsAbsence(condition));
  if (present === undefined) return null;
  const absent = all.find(needsAbsence);
  if (absent !== undefined) return all.filter((one) => one === absent || one === present);
  // Pairs exclude each other only if the value is present, so the first to demand that puts all pairs in question.
  const isFirst = present === added && others.every(allowsAbsence);
  for (const one of isFirst ? all : [added]) {
    const other = all.find((condition) => excludes(one, condition, effort));
    if (other === undefined) continue;
    const isEnough = !allowsAbsence(one) || !allowsAbsence(other);
    return all.filter((each) => each === one || each === other || (each === present && !isEnough));
  }
  return null;
}

/** The price of {@link pathsTo}, which writes the keys out again for each level. */
function pathsPrice({ path }: Step): number {
  const levels = Math.min(path.length, MAX_LEVELS);
  let units = 0;
  for (let at = 0; at < levels; at++) units += (path[at] as Segment).key.length;
  return (units * levels) / 8;
}

/** The path of a leaf, last, after those above it; of a path with stars, after those that lead to one value. */
export function pathsTo({ leaf, parent }: Step): readonly string[] {
  const paths: string[] = [];
  for (const { key } of parent.slice(0, MAX_LEVELS)) {
    paths.push((paths.length === 0 ? '' : `${paths.at(-1) ?? ''}.`) + escapeKey(key));
  }
  return [...paths, leaf.path];
}
