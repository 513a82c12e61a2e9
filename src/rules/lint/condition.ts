/** Leaves that must hold, or must not, as conditions on one value. */
import type { Json } from '../../json.js';
import { Account } from '../account.js';
import type { Step } from '../match.js';
import { readPath, type Path } from '../path.js';
import type { Operator } from '../rule.js';

/** The leaf of a step that must hold, or must not. */
export interface Condition {
  readonly step: Step;
  readonly must: boolean;
  /** The rest of the leaf's path, from the value in question on; empty where it asks about the value itself. */
  readonly below: Path;
}

/** What is asked of a value that is there: an operator that is no inverse, and the answer that must come. */
export interface Question {
  readonly op: Operator;
  readonly value: Json;
  readonly yes: boolean;
}

/** The operators that hold where something is not so, each with the one that asks whether it is. */
export const inverses: { readonly [O in Operator]?: Operator } = {
  neq: 'eq',
  not_contains: 'contains',
  not_in: 'in',
  not_matches: 'matches',
  missing: 'exists',
};

/** The questions of those conditions that are about the value itself. */
export const questionsOf = (conditions: readonly Condition[]): readonly Question[] =>
  conditions
    .filter(({ below }) => below.length === 0)
    .map(({ step: { leaf }, must }) => {
      const inverse = inverses[leaf.op];
      return { op: inverse ?? leaf.op, value: leaf.value ?? null, yes: (inverse === undefined) === must };
    });

/** What a value may equal, by coercion too, for `eq` or `in` to hold. */
export const membersOf = ({ op, value }: Question): readonly Json[] | undefined =>
  op === 'eq' ? [value] : op === 'in' ? (value as readonly Json[]) : undefined;

/** Whether a condition is met where its leaf's path is absent. */
export const allowsAbsence = ({ step, must }: Condition): boolean => (step.leaf.op === 'missing') === must;

/** Work that a pattern may take on a value; what it leaves undecided counts as met. */
const PATTERN_BUDGET = 1_000_000;

/** Whether a value, `undefined` where it is absent, meets all conditions. */
export const meets = (value: unknown, conditions: readonly Condition[]): boolean =>
  conditions.every((condition) => {
    const subject = readPath(value, condition.below);
    if (subject === undefined) return allowsAbsence(condition);
    return condition.step.test(subject, new Account(PATTERN_BUDGET)) !== !condition.must;
  });
