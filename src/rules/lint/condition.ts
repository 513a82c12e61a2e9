/** Leaves that must hold, or must not, as conditions on one value. */
import { jsonSize, type Json } from '../../json.js';
import type { Program, Step } from '../match/index.js';
import { child, type Segment } from '../path.js';
import type { Leaf, Operator } from '../rule.js';
import type { Effort } from './effort.js';

/** A step, and the UTF-16 units of its leaf's value as JSON. */
export interface SizedStep extends Step {
  readonly size: number;
}

/** A program whose sizes were taken once, since searches go through it again and again. */
export type SizedProgram = readonly SizedStep[];

export const withSizes = (program: Program): SizedProgram =>
  program.map((step) => ({ ...step, size: jsonSize(valueOf(step.leaf)) }));

/** The value that a leaf compares with; `null` for `exists` and `missing`, which ignore theirs. */
const valueOf = (leaf: Leaf): Json =>
  leaf.op === 'exists' || leaf.op === 'missing' ? null : (leaf.value ?? null);

/** The leaf of a step that must hold, or must not. */
export interface Condition {
  readonly step: SizedStep;
  readonly must: boolean;
  /** Segments of the leaf's path that lead to the value in question; all where it asks about the value itself. */
  readonly depth: number;
}

/** A question about a value that is present: an operator that is no inverse, and the answer that must come. */
export interface Question {
  readonly op: Operator;
  readonly value: Json;
  readonly yes: boolean;
  /** UTF-16 units of the value as JSON. */
  readonly size: number;
}

/** The negated operators, each with the one that it negates. */
export const inverses: { readonly [O in Operator]?: Operator } = {
  neq: 'eq',
  not_contains: 'contains',
  not_in: 'in',
  not_matches: 'matches',
  missing: 'exists',
};

/** Whether a condition asks about the value itself, and not about one below it. */
export const isAboutItself = ({ step, depth }: Condition): boolean => depth === step.path.length;

/** The questions of those conditions that are about the value itself. */
export const questionsOf = (conditions: readonly Condition[]): readonly Question[] =>
  conditions.filter(isAboutItself).map(({ step: { leaf, size }, must }) => {
    const inverse = inverses[leaf.op];
    return { op: inverse ?? leaf.op, value: valueOf(leaf), yes: (inverse === undefined) === must, size };
  });

/** The values that `eq` or `in` compares with; a match may be by coercion. */
export const membersOf = ({ op, value }: Question): readonly Json[] | undefined =>
  op === 'eq' ? [value] : op === 'in' ? (value as readonly Json[]) : undefined;

/** Whether a condition is met where its leaf's path is absent. */
export const allowsAbsence = ({ step, must }: Condition): boolean => (step.leaf.op === 'missing') === must;

/** Whether a value, `undefined` where absent, meets all conditions; true where that takes too much work to tell. */
export function meets(value: Json | undefined, conditions: readonly Condition[], effort: Effort): boolean {
  const size = value === undefined ? 0 : jsonSize(value, effort.left);
  if (!effort.spends(size)) return true;
  return conditions.every((condition) => {
    if (!effort.affords(4 + size)) return true;
    const subject = below(value, condition);
    return subject === undefined ? allowsAbsence(condition) : isMetBy(subject, size, condition, effort);
  });
}

/** The value at a condition's path, below the value in question. */
function below(value: unknown, { step: { path }, depth }: Condition): unknown {
  let found = value;
  for (let at = depth; at < path.length && found !== undefined; at++)
    found = child(found, path[at] as Segment);
  return found;
}

function isMetBy(subject: unknown, size: number, condition: Condition, effort: Effort): boolean {
  if (!effort.affords(priceOf(condition, subject, size))) return true;
  const held = condition.step.test(subject, effort);
  return held === undefined ? !effort.giveUp() : held === condition.must;
}

/** The price of asking about a value, besides going through it once; patterns charge their work themselves. */
function priceOf({ step: { leaf, size } }: Condition, subject: unknown, subjectSize: number): number {
  if (typeof subject === 'object') return size;
  return leaf.op === 'contains' || leaf.op === 'not_contains' ? searchPrice(subjectSize, size) : 0;
}

/** The highest price of searching a text for another: they are compared at every place, sixteen characters at once. */
export const searchPrice = (text: number, sought: number): number =>
  sought > text ? 1 : 1 + ((text - sought + 1) * sought) / 16;
