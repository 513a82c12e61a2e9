/** A leaf that must hold, or must not, read as a condition on one value of the event. */
import { jsonSize, type Json } from '../../json.js';
import { demandOf, ignoresValue, isNegated, type Demand } from '../operators/index.js';
import { compileLeaf, compileProgram, type Program, type Step } from '../match/index.js';
import type { PatternOptions } from '../../patterns/index.js';
import { STAR, child, type Segment } from '../path.js';
import type { Leaf, Match } from '../rule.js';
import { numberIn } from '../values/index.js';
import type { Test } from '../operators/index.js';
import type { Effort } from './effort.js';

/** A step with what is known of its leaf. */
export interface SizedStep extends Step {
  /** UTF-16 units of the leaf's value as JSON. */
  readonly size: number;
  /** The demand of the leaf's operator, or of the one that it negates. */
  readonly demand: Demand;
  /** Asks one value at the leaf's path: the test itself, unless the path has stars. */
  readonly ofOne: Test;
}

/** A match tree and its compiled leaves. */
export interface Tree {
  readonly match: Match;
  readonly program: Program;
  readonly steps: ReadonlyMap<Leaf, SizedStep>;
  /** About the UTF-16 units of the tree as JSON. */
  readonly size: number;
}

/** UTF-16 units of a leaf as JSON, besides its path and its value. */
const LEAF_SIZE = '{"path":"","op":"eq","value":}'.length;

/** Compiles a valid tree. */
export function compileTree(match: Match, options: PatternOptions): Tree {
  const program = compileProgram(match, options).map((step) => ({
    ...step,
    size: jsonSize(valueOf(step.leaf)),
    demand: demandOf(step.leaf),
    ofOne: isStarred(step) ? compileLeaf(step.leaf, options) : step.test,
  }));
  const size = program.reduce((sum, step) => sum + LEAF_SIZE + step.leaf.path.length + step.size, 0);
  return { match, program, steps: new Map(program.map((step) => [step.leaf, step])), size };
}

/** Whether the path of a leaf has stars: what must hold, must then hold for some value, and what must not, for none. */
export const isStarred = ({ last }: Step): boolean => last === STAR;

/** The value that a leaf compares with; `null` if its operator ignores it. */
const valueOf = (leaf: Leaf): Json => (ignoresValue(leaf.op) ? null : (leaf.value ?? null));

/** A condition on a value: that of its leaf, or one above it. */
export interface Condition {
  readonly step: SizedStep;
  readonly must: boolean;
  /** Segments of the leaf's path that lead to the value. */
  readonly depth: number;
  /** The demand of the leaf's operator, or of the one that it negates. */
  readonly demand: Demand;
  /** Whether the demand must be met by the value, if that is present. */
  readonly yes: boolean;
}

export function conditionOf(step: SizedStep, must: boolean, depth: number): Condition {
  return { step, must, depth, demand: step.demand, yes: isNegated(step.leaf) !== must };
}

/** Whether a condition is on the value of its leaf, and not on one above it. */
export const isOnLeaf = ({ step, depth }: Condition): boolean => depth === step.path.length;

/** Whether a condition is met if its leaf's path is absent. */
export const allowsAbsence = ({ step, must }: Condition): boolean => step.ifAbsent === must;

/** Whether a condition is met only if its leaf's path is absent. */
export const needsAbsence = (condition: Condition): boolean =>
  isOnLeaf(condition) && condition.demand.kind === 'presence' && !condition.yes;

/** The values one of which the value must equal; `undefined` if it may equal others. */
export const membersOf = (condition: Condition): readonly Json[] | undefined =>
  condition.yes && isOnLeaf(condition) && condition.demand.kind === 'equals'
    ? condition.demand.values
    : undefined;

/** Whether a member, or another value that equals it by coercion, may meet a condition. */
export function mayMeet(member: Json, condition: Condition, effort: Effort): boolean {
  if (meets(member, condition, effort)) return true;
  if (typeof member === 'number') return isOnLeaf(condition) && maySpelledMeet(member, condition);
  const number = typeof member === 'string' ? numberIn(member) : undefined;
  return number !== undefined && meets(number, condition, effort);
}

/** Whether a string that spells a number may meet a condition that the number itself does not meet. */
function maySpelledMeet(number: number, { demand, yes }: Condition): boolean {
  switch (demand.kind) {
    case 'equals':
      // Each number is spelled in many ways, of which a list has only some.
      return !yes && !demand.values.includes(number);
    case 'bound':
      return typeof demand.value === 'string' && numberIn(demand.value) === undefined;
    default:
      return demand.kind !== 'presence';
  }
}

/** Whether a value that is present meets a condition; true if deciding takes too much work. */
function meets(value: Json, condition: Condition, effort: Effort): boolean {
  const { step, must, depth } = condition;
  const size = jsonSize(value, effort.left);
  if (!effort.affords(size + priceOf(condition, value, size))) return true;
  const isOne = isOnLeaf(condition);
  let subject: unknown = value;
  if (!isOne) {
    for (const segment of [...step.parent, step.last].slice(depth)) {
      subject = child(subject, segment satisfies Segment);
    }
  }
  if (subject === undefined) return allowsAbsence(condition);
  const held = (isOne ? step.ofOne : step.test)(subject, effort);
  return held === undefined ? !effort.giveUp() : held === must;
}

/** Units of comparing with a value, besides those of reading it once; patterns charge their work themselves. */
function priceOf({ demand, step: { size } }: Condition, value: Json, valueSize: number): number {
  if (typeof value === 'object') return size;
  return demand.kind === 'contains' ? searchPrice(valueSize, size) : 1;
}

/** The most that searching a text for another costs: a comparison at each position, sixteen characters at once. */
export const searchPrice = (text: number, sought: number): number =>
  sought > text ? 1 : 1 + ((text - sought + 1) * sought) / 16;
