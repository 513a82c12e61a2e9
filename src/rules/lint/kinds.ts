/** Kinds of values that are too many to be tried one by one, and what questions leave of them. */
import { compareCodePoints, jsonEquals, type Json } from '../../json.js';
import { numberIn } from '../match/index.js';
import type { Segment } from '../path.js';
import type { Operator, OrderLeaf } from '../rule.js';
import {
  allowsAbsence,
  isAboutItself,
  membersOf,
  questionsOf,
  searchPrice,
  type Condition,
  type Question,
} from './condition.js';
import type { Effort } from './effort.js';

/** A numeral is a string that spells a number, a text any other string. */
export type Kind = 'text' | 'numeral' | 'number' | 'array' | 'object';

/**
 * False only where it is sure that no value of a kind meets all conditions.
 *
 * @param spelled - The number that a numeral spells, where that is known.
 */
export function couldBe(
  kind: Kind,
  conditions: readonly Condition[],
  effort: Effort,
  spelled?: number,
): boolean {
  const questions = questionsOf(conditions);
  // Each text is gone through a few times.
  const texts = questions.reduce((sum, { value, size }) => sum + (typeof value === 'string' ? size : 1), 0);
  if (!effort.affords(10 * conditions.length + texts / 8)) return true;
  if (!conditions.every((condition) => canHaveBelow(kind, condition))) return false;
  if (!questions.every((one) => (one.yes ? canHold(kind, one) : one.op !== 'exists'))) return false;
  if (questions.some((one) => one.yes && questions.some((other) => isOpposite(one, other, effort))))
    return false;
  return (
    boundsFit(kind, questions, spelled, effort) &&
    affixesFit(kind, questions, effort) &&
    (spelled === undefined || questions.every((question) => canSpell(spelled, question, effort)))
  );
}

function canHaveBelow(kind: Kind, condition: Condition): boolean {
  if (isAboutItself(condition) || allowsAbsence(condition)) return true;
  const { step, depth } = condition;
  return kind === 'object' || (kind === 'array' && (step.path[depth] as Segment).index >= 0);
}

/** False, too, where it takes too much work to tell. */
const isOpposite = (one: Question, other: Question, effort: Effort): boolean =>
  one.yes !== other.yes &&
  one.op === other.op &&
  effort.affords(1 + Math.min(one.size, other.size)) &&
  jsonEquals(one.value, other.value);

/** Whether the answer to a question can be yes for a value of a kind. */
function canHold(kind: Kind, { op, value }: Question): boolean {
  if (op === 'exists' || op === 'eq' || op === 'in') return true;
  if (op in opposites) return comparable(kind, value) !== undefined;
  if (op === 'contains' && (kind === 'array' || typeof value !== 'string')) return kind === 'array';
  return kind === 'text' || kind === 'numeral';
}

/** What values of a kind are compared with when they are ordered against a value, if with anything. */
function comparable(kind: Kind, value: Json): number | string | undefined {
  const number = typeof value === 'number' ? value : numberIn(value as string);
  if (kind === 'number' || (kind === 'numeral' && number !== undefined)) return number;
  return (kind === 'text' || kind === 'numeral') && typeof value === 'string' ? value : undefined;
}

/** A value lies above or below, as the operator says. */
interface Bound {
  readonly op: OrderLeaf['op'];
  readonly at: number | string;
}

/** What must be so where an ordering leaf does not hold. */
const opposites: { readonly [O in Operator]?: OrderLeaf['op'] } = {
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
};

/** Whether all lower bounds lie below all upper ones. */
function boundsFit(
  kind: Kind,
  questions: readonly Question[],
  spelled: number | undefined,
  effort: Effort,
): boolean {
  const bounds = questions.flatMap(({ op, value, yes }): Bound[] => {
    const opposite = opposites[op];
    const at = opposite && comparable(kind, value);
    return at === undefined ? [] : [{ op: yes ? (op as Bound['op']) : (opposite as Bound['op']), at }];
  });
  if (spelled !== undefined) bounds.push({ op: 'gte', at: spelled }, { op: 'lte', at: spelled });
  // A numeral begins with a minus or a digit.
  if (kind === 'numeral') bounds.push({ op: 'gte', at: '-' }, { op: 'lt', at: ':' });
  // Half a surrogate pair at the end of a prefix says nothing about the order of what begins so.
  const prefix = withoutHalf(longest(textsOf(questions, 'starts_with', true)));
  bounds.push({ op: 'gte', at: prefix });
  const upper = bounds.filter(({ op }) => op === 'lt' || op === 'lte');
  // Each pair is compared, as far as the longer goes: all of one with each of the other are so many characters at most.
  const units = bounds.reduce((sum, { at }) => sum + (typeof at === 'string' ? at.length : 1), 0);
  if (!effort.affords((units * (1 + upper.length)) / 8)) return true;
  return bounds.every(
    (bound) =>
      upper.includes(bound) ||
      (upper.every((other) => isBelow(bound, other)) &&
        (typeof bound.at === 'number' ||
          bound.at.startsWith(prefix) ||
          compareCodePoints(bound.at, prefix) < 0)),
  );
}

/** Whether there may be room between two bounds. */
function isBelow({ op, at }: Bound, upper: Bound): boolean {
  if (at === upper.at) return op === 'gte' && upper.op === 'lte';
  if (typeof at === 'number') return typeof upper.at === 'string' || at < upper.at;
  return typeof upper.at === 'number' || compareCodePoints(at, upper.at) < 0;
}

/** The texts that an operator must find, or must not. */
const textsOf = (questions: readonly Question[], op: Operator, yes: boolean): readonly string[] =>
  questions
    .filter((question) => question.op === op && question.yes === yes)
    .map(({ value }) => value)
    .filter((value) => typeof value === 'string');

const withoutHalf = (text: string): string =>
  /[\ud800-\udbff]/.test(text.slice(-1)) ? text.slice(0, -1) : text;

const longest = (texts: readonly string[]): string =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), '');

/** Whether what a string must begin with, end with and contain goes together with what it must not. */
function affixesFit(kind: Kind, questions: readonly Question[], effort: Effort): boolean {
  if (kind !== 'text' && kind !== 'numeral') return true;
  const texts = (op: Operator, yes: boolean): readonly string[] => textsOf(questions, op, yes);
  const prefix = longest(texts('starts_with', true));
  const suffix = longest(texts('ends_with', true));
  const parts = [prefix, suffix, ...texts('contains', true)];
  const isIn = (text: string, part: string): boolean =>
    effort.affords(searchPrice(part.length, text.length)) && part.includes(text);
  return (
    texts('starts_with', true).every((text) => prefix.startsWith(text)) &&
    texts('ends_with', true).every((text) => suffix.endsWith(text)) &&
    !texts('starts_with', false).some((text) => prefix.startsWith(text)) &&
    !texts('ends_with', false).some((text) => suffix.endsWith(text)) &&
    !texts('contains', false).some((text) => parts.some((part) => isIn(text, part))) &&
    (kind === 'text' || parts.every((part) => /^[-+.\deE]*$/.test(part)))
  );
}

/** Whether some way to spell a number gives the answer that a question wants. */
function canSpell(number: number, question: Question, effort: Effort): boolean {
  const members = membersOf(question);
  if (members === undefined || !effort.affords(question.size)) return true;
  if (members.includes(number)) return question.yes;
  return !question.yes || members.some((member) => typeof member === 'string' && numberIn(member) === number);
}
