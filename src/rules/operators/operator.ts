/** The parts that an operator is made of. */
import type { Json } from '../../json.js';
import type { Pattern } from '../../patterns/index.js';
import type { Account } from '../values/index.js';

/**
 * The members that all leaves share. They have none of a group's, so that no object literal is a leaf and a group at
 * once.
 */
export interface AnyLeaf {
  /**
   * Dotted path from the event's root, such as `data.body.action`; `*` stands for every element of an array, as in
   * `data.items.*.sku`.
   */
  readonly path: string;
  readonly all?: never;
  readonly any?: never;
}

/** The JSON Schema of a value; `description` completes the sentence "must be …". */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly not?: { readonly const: Json };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description: string;
}

/** The name of the schema of leaves that have one kind of value. */
export type LeafName = `${string}Leaf`;

/** Operators as documents write them: their names, and the value that they share. */
export interface Form<Name extends string = string> {
  readonly name: LeafName;
  readonly value: ValueSchema;
  readonly operators: Readonly<Record<Name, OperatorForm<NoInfer<Name>>>>;
}

/** One operator as documents write it. */
export interface OperatorForm<Name extends string = string> {
  /**
   * The operator of the same form that it negates. Then it has no definition: on a path that is present it is the
   * opposite.
   */
  readonly negates?: Name;
  /** Names in other systems, separated by spaces. */
  readonly aliases: string;
  /** The advice for people who look for its inverse, if it has none. */
  readonly insteadOfInverse?: string;
  /** Whether `value` is an RE2 pattern. */
  readonly isPattern?: boolean;
}

/**
 * Asks one question of a value that is present. Patterns charge the account for what they do. Anything else takes time
 * linear in `value`, save for what is found out about the subject once and then known to the account.
 *
 * @returns Whether it holds; `undefined` when a pattern met its work budget, which counts as false
 *   for an operator and for its inverse.
 */
export type Test = (subject: unknown, account: Account) => boolean | undefined;

/**
 * An operator that negates no other.
 *
 * @typeParam V - The type of its `value`.
 */
export interface Definition<V> {
  /** Compute here what does not depend on the subject; the test runs for every event. */
  readonly test: (value: V, compilePattern: (source: string) => Pattern) => Test;
  /** Lets the index find the operator, and lint prove what excludes it. Left out if no kind of demand expresses it. */
  readonly demand?: (value: V) => Demand;
  /**
   * Values for which it holds, or nearly holds, so that random events meet rules. Left out if its demand or its value
   * says enough.
   */
  readonly near?: (value: V) => readonly Json[];
}

/**
 * A bound of a range: numeric if both it and the subject are numbers or spell one; by code point between other strings.
 */
export interface Bound {
  readonly kind: 'bound';
  readonly isLower: boolean;
  /** Whether the bound itself is outside. */
  readonly isStrict: boolean;
  readonly value: number | string;
}

/** Says of a value that is present exactly what an operator asks of it: it is so if and only if the operator holds. */
export type Demand =
  /** It equals one of these. */
  | { readonly kind: 'equals'; readonly values: readonly Json[] }
  /** It is a string that has this text at one end. */
  | { readonly kind: 'affix'; readonly end: 'start' | 'end'; readonly text: string }
  /** It is a string that has this text in it, or an array of which an element equals this value. */
  | { readonly kind: 'contains'; readonly value: Json }
  /** It is a string in which this pattern is found. */
  | { readonly kind: 'pattern'; readonly source: string }
  | Bound
  /** Nothing more. */
  | { readonly kind: 'presence' }
  /** Something that only the operator's test knows. */
  | { readonly kind: 'other'; readonly op: string; readonly value: Json };
