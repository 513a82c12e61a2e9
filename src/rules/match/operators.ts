/** The sixteen operators, one table: what each makes of its `value`. */
import { jsonEquals, rememberKeys, type Json } from '../../json.js';
import { compareCodePoints } from '../../unicode.js';
import { compilePattern, type PatternOptions } from '../../patterns/index.js';
import { numberSpelled, type Account } from './account.js';
import { numberIn } from './numbers.js';
import type { Leaf, Operator } from '../rule.js';
import { isStructure } from './structures.js';

/**
 * Asks one question of a value that is present. Patterns charge the account for what they do. Anything else takes time
 * linear in `value`, save for what is found out about the subject once and then known to the account.
 *
 * @returns Whether it holds; `undefined` when a pattern met its work budget, which counts as false
 *   for `matches` and for `not_matches`.
 */
export type Test = (subject: unknown, account: Account) => boolean | undefined;

/** A question that no budget can leave open. */
type SureTest = (subject: unknown, account: Account) => boolean;

/** `eq` against one value, with what does not depend on the subject worked out beforehand. */
function equalTo(value: Json): SureTest {
  if (typeof value === 'number') {
    return (subject, account) =>
      typeof subject === 'string' ? numberSpelled(subject, account) === value : subject === value;
  }
  if (typeof value === 'string') {
    const number = numberIn(value);
    return (subject) => subject === value || (number !== undefined && subject === number);
  }
  if (!isStructure(value)) return (subject) => subject === value;
  return equalToStructure(value);
}

function equalToStructure(value: Json): SureTest {
  const keysOfLeft = rememberKeys();
  return (subject, account) =>
    jsonEquals(value, subject, { keysOfLeft, sizeOfRight: (object) => account.subjects.sizeOf(object) });
}

/** `eq` against any of many values: scalars by hash, structures one by one. */
function memberOf(values: readonly Json[]): SureTest {
  const scalars = new Set<unknown>(values);
  const spelled = new Set<number | undefined>();
  const structures = values.filter(isStructure).map(equalToStructure);
  for (const value of values) {
    if (typeof value === 'string') spelled.add(numberIn(value));
  }
  spelled.delete(undefined);
  return (subject, account) => {
    if (isStructure(subject)) return structures.some((isEqual) => isEqual(subject, account));
    if (scalars.has(subject)) return true;
    if (typeof subject === 'number') return spelled.has(subject);
    const number = typeof subject === 'string' ? numberSpelled(subject, account) : undefined;
    return number !== undefined && scalars.has(number);
  };
}

/** Units of a subject that is searched at once, without asking whether it was searched before. */
const SHORT = 256;

/** Elements of an array that are compared at once, without counting how many were compared before. */
const FEW = 16;

const occurs = (text: string, subject: string, account: Account): boolean =>
  subject.length <= SHORT ? subject.includes(text) : account.texts.has(subject, text);

function containing(value: Json): SureTest {
  const matchesElement = equalTo(value);
  return (subject, account) => {
    if (typeof subject === 'string') return typeof value === 'string' && occurs(value, subject, account);
    if (!Array.isArray(subject)) return false;
    if (subject.length > FEW) {
      const elements = account.subjects.elementsOf(subject);
      if (elements !== null) return elements.has(value);
    }
    for (const element of subject as readonly unknown[]) {
      if (matchesElement(element, account)) return true;
    }
    return false;
  };
}

/**
 * Numeric where both sides are numbers or spell one, else by code point where both are strings.
 *
 * @param accepts - Whether the order of subject and value (negative, zero, positive) fulfils the operator.
 */
function ordered(value: number | string, accepts: (order: number) => boolean): SureTest {
  const number = typeof value === 'number' ? value : numberIn(value);
  return (subject, account) => {
    if (typeof subject !== 'number' && typeof subject !== 'string') return false;
    const subjectNumber =
      typeof subject === 'number'
        ? subject
        : number === undefined
          ? undefined
          : numberSpelled(subject, account);
    if (number !== undefined && subjectNumber !== undefined) {
      return accepts(subjectNumber < number ? -1 : subjectNumber > number ? 1 : 0);
    }
    if (typeof subject !== 'string' || typeof value !== 'string') return false;
    return accepts(compareCodePoints(subject, value));
  };
}

const ofText =
  (holds: (subject: string) => boolean): SureTest =>
  (subject) =>
    typeof subject === 'string' && holds(subject);

function matching(source: string, options: PatternOptions): Test {
  const pattern = compilePattern(source, options);
  return (subject, account) => (typeof subject === 'string' ? pattern.test(subject, account) : false);
}

/** The inverse; what is undecided stays so. */
const not =
  (test: Test): Test =>
  (subject, account) => {
    const held = test(subject, account);
    return held === undefined ? undefined : !held;
  };

/** The type of `value` for an operator. */
type ValueOf<O extends Operator, L = Leaf> = L extends { readonly op: infer P; readonly value?: infer V }
  ? O extends P
    ? V
    : never
  : never;

type Operators = {
  readonly [O in Operator]: (value: Exclude<ValueOf<O>, undefined>, options: PatternOptions) => Test;
};

const operators: Operators = {
  eq: equalTo,
  neq: (value) => not(equalTo(value)),
  contains: containing,
  not_contains: (value) => not(containing(value)),
  starts_with: (prefix) => ofText((subject) => subject.startsWith(prefix)),
  ends_with: (suffix) => ofText((subject) => subject.endsWith(suffix)),
  in: memberOf,
  not_in: (values) => not(memberOf(values)),
  matches: matching,
  not_matches: (source, options) => not(matching(source, options)),
  gt: (value) => ordered(value, (order) => order > 0),
  gte: (value) => ordered(value, (order) => order >= 0),
  lt: (value) => ordered(value, (order) => order < 0),
  lte: (value) => ordered(value, (order) => order <= 0),
  exists: () => () => true,
  missing: () => () => false,
};

/** The question that a leaf asks of a present value; an absent one answers only `missing`. */
export function compileLeaf(leaf: Leaf, options: PatternOptions): Test {
  const compile = operators[leaf.op] as (value: Json | undefined, options: PatternOptions) => Test;
  return compile(leaf.value, options);
}
