/** Pairs of conditions that no value meets together. "Yes" is sure; "no" may mean that it is hard to tell. */
import { jsonEquals } from '../../json.js';
import { compareCodePoints } from '../../unicode.js';
import { numberIn } from '../values/index.js';
import type { Bound } from '../operators/index.js';
import { STAR } from '../path.js';
import {
  allowsAbsence,
  isOnLeaf,
  isStarred,
  mayMeet,
  membersOf,
  searchPrice,
  type Condition,
} from './condition.js';
import type { Effort } from './effort.js';
import { ANY_KIND, ARRAY, OBJECT, kindsMeeting } from './kinds.js';

/** Units of effort for a pair, besides those of its values. */
const PAIR_UNITS = 4;

/** Whether no value that is present meets both conditions. Of one alone, whether none meets it. */
export function excludes(one: Condition, other: Condition, effort: Effort): boolean {
  if (!effort.affords(PAIR_UNITS + Math.min(one.step.size, other.step.size))) return false;
  // One of many values may meet the first condition, and another the second.
  if (one !== other && one.yes && other.yes && isOnLeaf(one) && isStarred(one.step)) return false;
  if ((kindsOf(one) & kindsOf(other)) === 0) return true;
  const [fewer, more] = inOrderOfMembers(one, other);
  const members = membersOf(fewer);
  if (members !== undefined) return !members.some((member) => mayMeet(member, more, effort));
  if (!isOnLeaf(one) || !isOnLeaf(other)) return false;
  return (
    isOpposite(one, other) ||
    boundsExclude(one, other) ||
    affixExcludes(one, other, effort) ||
    affixExcludes(other, one, effort)
  );
}

function inOrderOfMembers(one: Condition, other: Condition): readonly [Condition, Condition] {
  const count = (condition: Condition): number => membersOf(condition)?.length ?? Infinity;
  return count(one) <= count(other) ? [one, other] : [other, one];
}

/** The kinds of values that may meet a condition. */
function kindsOf(condition: Condition): number {
  const { step, depth, demand, yes } = condition;
  if (!isOnLeaf(condition)) {
    if (allowsAbsence(condition)) return ANY_KIND;
    const next = step.path[depth];
    if (next === STAR) return ARRAY;
    return (next?.index ?? -1) >= 0 ? OBJECT + ARRAY : OBJECT;
  }
  return yes ? kindsMeeting(demand) : ANY_KIND;
}

/** Whether one condition denies the very thing that the other demands. */
const isOpposite = (one: Condition, other: Condition): boolean =>
  one.yes !== other.yes && jsonEquals(one.demand, other.demand);

/**
 * Whether a lower and an upper bound leave nothing between them. One of them must hold, so that the value is ordered at
 * all.
 */
function boundsExclude(one: Condition, other: Condition): boolean {
  const bounds = [boundOf(one), boundOf(other)];
  const lower = bounds.find((bound) => bound?.isLower === true);
  const upper = bounds.find((bound) => bound?.isLower === false);
  if (lower === undefined || upper === undefined || !(one.yes || other.yes)) return false;
  const order = orderOf(lower.value, upper.value);
  if (order === undefined) return false;
  return order > 0 || (order === 0 && (lower.isStrict || upper.isStrict));
}

/** The bound that a value must keep to if it can be ordered; `undefined` without one. */
function boundOf({ demand, yes }: Condition): Bound | undefined {
  if (demand.kind !== 'bound') return undefined;
  return yes ? demand : { ...demand, isLower: !demand.isLower, isStrict: !demand.isStrict };
}

/** The order of two bounds; `undefined` if some values are compared with them as numbers and others as texts. */
function orderOf(lower: unknown, upper: unknown): number | undefined {
  if (typeof lower === 'number' && typeof upper === 'number') return lower - upper;
  if (typeof lower !== 'string' || typeof upper !== 'string') return undefined;
  return isNumeral(lower) || isNumeral(upper) ? undefined : compareCodePoints(lower, upper);
}

const isNumeral = (text: string): boolean => numberIn(text) !== undefined;

/** Whether a text that must begin, or end, as one condition says cannot meet the other. */
function affixExcludes(
  { demand, yes }: Condition,
  { demand: other, yes: isMet }: Condition,
  effort: Effort,
): boolean {
  if (!yes || demand.kind !== 'affix') return false;
  const { end, text } = demand;
  if (other.kind === 'contains' && !isMet && typeof other.value === 'string') {
    return effort.affords(searchPrice(text.length, other.value.length)) && text.includes(other.value);
  }
  if (other.kind !== 'affix' || other.end !== end) return false;
  const has = (whole: string, part: string): boolean =>
    end === 'start' ? whole.startsWith(part) : whole.endsWith(part);
  return isMet ? !has(text, other.text) && !has(other.text, text) : has(text, other.text);
}
