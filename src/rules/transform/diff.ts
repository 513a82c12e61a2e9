/** The differences between two events, as the smallest values that differ. Loops, no recursion. */
import { isObject, ownKeys } from '../../json.js';
import { escapeKey } from '../path.js';

/** One value that changed. */
export interface JsonChange {
  /** Dotted path from the root of the two values. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A pair to compare, or the mark that its members are done. */
interface Pair extends JsonChange {
  readonly leaving?: true;
}

/** Units charged for each changed value, besides its path. */
const UNITS_OF_CHANGE = 100;

/** Pairs compared again, at most: a value made by hand may share members, so that the pairs double at each level. */
const MAX_REPEATS = 10_000;

/**
 * Lists the values that differ, in document order. Objects with the same keys and arrays of the same length are
 * compared inside; anything else that differs is one change.
 *
 * An object that both values share is skipped, so the time depends on the changes, not on the size of the
 * values. A value inside itself is listed once. Many changes below a deep path have long paths, which `dryRun`
 * bounds.
 *
 * @example
 * ```ts
 * import { diffJson } from 'headgate';
 *
 * console.log(diffJson({ card: '4242', paid: true }, { card: '****', paid: true }));
 * // [ { path: 'card', before: '4242', after: '****' } ]
 * ```
 */
export const diffJson = (before: unknown, after: unknown): readonly JsonChange[] =>
  boundedDiff(before, after, Infinity).changes;

/**
 * As {@link diffJson}, up to this many UTF-16 units of paths, each change counting 100 besides: as text, the changes of
 * one event could be a thousand times as large as the event.
 */
export function boundedDiff(
  before: unknown,
  after: unknown,
  units: number,
): { readonly changes: readonly JsonChange[]; readonly isCut: boolean } {
  const changes: JsonChange[] = [];
  let left = units;
  const open = new Set<unknown>();
  const met = new Set<unknown>();
  let repeats = 0;
  const pending: Pair[] = [{ path: '', before, after }];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (pair.leaving) open.delete(pair.after);
    else if (pair.before === pair.after || open.has(pair.after)) continue;
    else {
      const members = commonMembers(pair);
      if (members === null) {
        left -= pair.path.length + UNITS_OF_CHANGE;
        if (left < 0) return { changes, isCut: true };
        changes.push(pair);
      } else if (!met.has(pair.after) || repeats++ < MAX_REPEATS) {
        met.add(pair.after);
        open.add(pair.after);
        pending.push({ ...pair, leaving: true });
        for (const member of members.reverse()) pending.push(member);
      }
    }
  }
  return { changes, isCut: false };
}

/** The members of two containers of the same shape, paired; `null` when the shapes differ. */
function commonMembers({ path, before, after }: JsonChange): JsonChange[] | null {
  const prefix = path === '' ? '' : `${path}.`;
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return null;
    return before.map((value: unknown, i) => ({
      path: `${prefix}${i}`,
      before: value,
      after: after[i] as unknown,
    }));
  }
  if (!isObject(before) || !isObject(after)) return null;
  const keys = ownKeys(before);
  if (keys.length !== ownKeys(after).length || !keys.every((key) => Object.hasOwn(after, key))) {
    return null;
  }
  return keys.map((key) => ({ path: prefix + escapeKey(key), before: before[key], after: after[key] }));
}
