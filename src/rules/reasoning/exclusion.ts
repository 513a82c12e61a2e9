/** Pairs of conditions that no value meets together. "Yes" is sure; "no" may mean that it is hard to tell. */
import { jsonEquals } from '../../json.js';
import { compareCodePoints } from '../../unicode.js';
import { numberIn } from '../match/index.js';
import type { Operator } from '../rule.js';
import {
  allowsAbsence,
  isOnLeaf,
  isOrder,
  mayMeet,
  membersOf,
  searchPrice,
  type Condition,
} from './condition.js';
import type { Effort } from './effort.js';

/** Units of effort for a pair, besides those of its values. */
const PAIR_UNITS = 4;

/** Whether no value that is present meets both conditions. Of one alone, whether none meets it. */
export function excludes(one: Condition, other: Condition, effort: Effort): boolean {
  if (!effort.affords(PAIR_UNITS + Math.min(one.step.size, other.step.size))) return false;
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

/** Bits for the kinds of values. */
const STRING = 1;
const NUMBER = 2;
const ARRAY = 4;
const OBJECT = 8;
const ANY_KIND = 16 + OBJECT + ARRAY + NUMBER + STRING; // 16 stands for booleans and null

/** The kinds of values that may meet a condition. */
function kindsOf(condition: Condition): number {
  const { step, depth, op, value, yes } = condition;
  if (!isOnLeaf(condition)) {
    if (allowsAbsence(condition)) return ANY_KIND;
    return (step.path[depth]?.index ?? -1) >= 0 ? OBJECT + ARRAY : OBJECT;
  }
  if (!yes) return ANY_KIND;
  if (isOrder(op)) return NUMBER + STRING;
  if (op === 'contains') return typeof value === 'string' ? ARRAY + STRING : ARRAY;
  return op === 'starts_with' || op === 'ends_with' || op === 'matches' ? STRING : ANY_KIND;
}

/** Whether one condition denies the very thing that the other demands. */
const isOpposite = (one: Condition, other: Condition): boolean =>
  one.yes !== other.yes && one.op === other.op && jsonEquals(one.value, other.value);

/** The ordering that must hold where another must not. */
const opposites: { readonly [O in Operator]?: Operator } = { gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' };

/** Whether a lower and an upper bound leave nothing between them. One of them must hold, so that the value is ordered at all. */
function boundsExclude(one: Condition, other: Condition): boolean {
  if (!isOrder(one.op) || !isOrder(other.op) || !(one.yes || other.yes)) return false;
  const [lower, upper] = isLower(one) ? [one, other] : [other, one];
  if (!isLower(lower) || isLower(upper)) return false;
  const order = orderOf(lower.value, upper.value);
  if (order === undefined) return false;
  return order > 0 || (order === 0 && (boundOf(lower) === 'gt' || boundOf(upper) === 'lt'));
}

const boundOf = ({ op, yes }: Condition): Operator | undefined => (yes ? op : opposites[op]);

const isLower = (condition: Condition): boolean => boundOf(condition)?.startsWith('g') === true;

/** The order of two bounds; `undefined` where some values are compared with them as numbers and others as texts. */
function orderOf(lower: unknown, upper: unknown): number | undefined {
  if (typeof lower === 'number' && typeof upper === 'number') return lower - upper;
  if (typeof lower !== 'string' || typeof upper !== 'string') return undefined;
  return isNumeral(lower) || isNumeral(upper) ? undefined : compareCodePoints(lower, upper);
}

const isNumeral = (text: string): boolean => numberIn(text) !== undefined;

/** Whether a text that must begin, or end, as one condition says cannot meet the other. */
function affixExcludes({ op, value, yes }: Condition, other: Condition, effort: Effort): boolean {
  if (!yes || (op !== 'starts_with' && op !== 'ends_with')) return false;
  if (typeof value !== 'string' || typeof other.value !== 'string') return false;
  const affix = other.value;
  if (other.op === 'contains' && !other.yes) {
    return effort.affords(searchPrice(value.length, affix.length)) && value.includes(affix);
  }
  if (other.op !== op) return false;
  const has = (text: string, part: string): boolean =>
    op === 'starts_with' ? text.startsWith(part) : text.endsWith(part);
  return other.yes ? !has(value, affix) && !has(affix, value) : has(value, affix);
}
