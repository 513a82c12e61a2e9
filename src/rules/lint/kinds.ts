/** Kinds of values that are too many to be tried one by one, and what questions leave of them. */
import { compareCodePoints, jsonEquals, type Json } from '../../json.js';
import { numberIn } from '../operators.js';
import type { Operator, OrderLeaf } from '../rule.js';
import { opposite, roomBetween, type Bound, type Room } from './bounds.js';
import { allowsAbsence, meets, membersOf, questionsOf, type Condition, type Question } from './condition.js';

/** A numeral is a string that spells a number, a text any other string. */
export type Kind = 'text' | 'numeral' | 'number' | 'array' | 'object';

const isString = (kind: Kind): boolean => kind === 'text' || kind === 'numeral';

/**
 * False only where it is sure that no value of a kind meets all conditions.
 *
 * @param spelled - The number that a numeral spells, where that is known.
 */
export function couldBe(kind: Kind, conditions: readonly Condition[], spelled?: number): boolean {
  if (!conditions.every((condition) => canHaveBelow(kind, condition))) return false;
  const questions = questionsOf(conditions);
  if (!questions.every((question) => canAnswer(kind, question)) || contradictory(questions)) return false;
  if (isString(kind) && !affixesFit(kind, questions)) return false;
  const numbers = roomBetween(
    boundsOf(questions, (value) => numberFor(kind, value), spelled === undefined ? [] : exactly(spelled)),
    (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  );
  const texts = textRoom(kind, questions);
  if (numbers === 'none' || texts === 'none') return false;
  const room = kind === 'number' ? numbers : texts;
  if (room !== 'some') return meets(room.only, conditions);
  return numbers === 'some' || questions.every((question) => canSpell(numbers.only, question));
}

function canHaveBelow(kind: Kind, condition: Condition): boolean {
  const [first] = condition.below;
  if (first === undefined || allowsAbsence(condition)) return true;
  return kind === 'object' || (kind === 'array' && first.index >= 0);
}

/** Whether some value of a kind gives the answer that a question wants. */
const canAnswer = (kind: Kind, question: Question): boolean =>
  question.yes ? canHold(kind, question) : question.op !== 'exists';

function canHold(kind: Kind, { op, value }: Question): boolean {
  switch (op) {
    case 'starts_with':
    case 'ends_with':
    case 'matches':
      return isString(kind);
    case 'contains':
      return kind === 'array' || (isString(kind) && typeof value === 'string');
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return numberFor(kind, value) !== undefined || textFor(kind, value) !== undefined;
    default:
      return true;
  }
}

/** The number that values of a kind are compared with. */
function numberFor(kind: Kind, value: Json): number | undefined {
  if (kind !== 'number' && kind !== 'numeral') return undefined;
  return typeof value === 'string' ? numberIn(value) : (value as number);
}

/** The text that values of a kind are compared with. */
const textFor = (kind: Kind, value: Json): string | undefined =>
  typeof value === 'string' && isString(kind) && numberFor(kind, value) === undefined ? value : undefined;

/** Whether one question is to be answered both yes and no. */
const contradictory = (questions: readonly Question[]): boolean =>
  questions.some(
    (a) => a.yes && questions.some((b) => !b.yes && a.op === b.op && jsonEquals(a.value, b.value)),
  );

/** What the ordering questions say about numbers, or about texts, besides what is known. */
const boundsOf = <T>(
  questions: readonly Question[],
  read: (value: Json) => T | undefined,
  known: readonly Bound<T>[],
): readonly Bound<T>[] => [
  ...known,
  ...questions.flatMap(({ op, value, yes }) => {
    if (!isOrder(op)) return [];
    const at = read(value);
    return at === undefined ? [] : [{ op: yes ? op : opposite[op], at }];
  }),
];

const isOrder = (op: Operator): op is OrderLeaf['op'] => op in opposite;

const exactly = (at: number): readonly Bound<number>[] => [
  { op: 'gte', at },
  { op: 'lte', at },
];

/** Every numeral begins with a minus or a digit. */
const numeralBounds: readonly Bound<string>[] = [
  { op: 'gte', at: '-' },
  { op: 'lt', at: ':' },
];

function textRoom(kind: Kind, questions: readonly Question[]): Room<string> {
  const known = kind === 'numeral' ? numeralBounds : [];
  // Half a surrogate pair at the end of a prefix says nothing about the order of what begins so.
  const prefix = prefixOf(questions).replace(/[\ud800-\udbff]$/, '');
  const bounds = boundsOf(questions, (value) => textFor(kind, value), [...known, { op: 'gte', at: prefix }]);
  const beyond = bounds.some(
    ({ op, at }) => op.startsWith('g') && compareCodePoints(at, prefix) > 0 && !at.startsWith(prefix),
  );
  return beyond ? 'none' : roomBetween(bounds, compareCodePoints);
}

/** The texts that an operator must find, or must not. */
const textsOf = (questions: readonly Question[], op: Operator, yes: boolean): string[] =>
  questions.flatMap((question) =>
    question.op === op && question.yes === yes && typeof question.value === 'string' ? [question.value] : [],
  );

const longest = (texts: readonly string[]): string =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), '');

const prefixOf = (questions: readonly Question[]): string => longest(textsOf(questions, 'starts_with', true));

/** Whether what a string must begin with, end with and contain goes together with what it must not. */
function affixesFit(kind: Kind, questions: readonly Question[]): boolean {
  const prefix = prefixOf(questions);
  const suffix = longest(textsOf(questions, 'ends_with', true));
  const parts = [prefix, suffix, ...textsOf(questions, 'contains', true)];
  return (
    textsOf(questions, 'starts_with', true).every((text) => prefix.startsWith(text)) &&
    textsOf(questions, 'ends_with', true).every((text) => suffix.endsWith(text)) &&
    !textsOf(questions, 'starts_with', false).some((text) => prefix.startsWith(text)) &&
    !textsOf(questions, 'ends_with', false).some((text) => suffix.endsWith(text)) &&
    !textsOf(questions, 'contains', false).some((text) => parts.some((part) => part.includes(text))) &&
    (kind === 'text' || parts.every((part) => /^[-+.\deE]*$/.test(part)))
  );
}

/** Whether some way to spell a number gives the answer that a question wants. */
function canSpell(number: number, question: Question): boolean {
  const members = membersOf(question);
  if (members === undefined) return true;
  if (members.includes(number)) return question.yes;
  return !question.yes || members.some((member) => typeof member === 'string' && numberIn(member) === number);
}
