/** A bench: one question, asked in cases, each in a process of its own. */
import type { Effort } from './cpu.js';

/** Which case; what the process is told, and what the command line chooses by. */
export type Case = Readonly<Record<string, string | number>>;

/** A case and what came of it. */
export interface Answer<C extends Case, R> {
  readonly of: C;
  readonly result: R;
}

/** One table of the report. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  /** The first column is text, the others are figures. */
  readonly rows: readonly (readonly string[])[];
  /** Explains how to read the table. */
  readonly note?: string;
}

/** A bound that was promised, and what was measured. */
export interface Verdict {
  readonly claim: string;
  readonly limit: string;
  readonly figure: string;
  readonly holds: boolean;
}

/** A bound from above. */
export const verdict = (
  claim: string,
  limit: number,
  value: number,
  show: (value: number) => string,
): Verdict => ({ claim, limit: show(limit), figure: show(value), holds: value <= limit });

export interface Report {
  readonly tables: readonly Table[];
  readonly verdicts: readonly Verdict[];
}

export interface Question<C extends Case, R> {
  /** The name of its file. */
  readonly name: string;
  readonly title: string;
  readonly cases: (quick: boolean) => readonly C[];
  /** Cases of the shortest run, which measures nothing to be quoted. @defaultValue those of a quick run */
  readonly smokeCases?: () => readonly C[];
  /** Flags of the process that measures a case, besides `--expose-gc`. @defaultValue none */
  readonly flags?: (of: C) => readonly string[];
  /** Runs in the process of the case. Throws where an answer is wrong. */
  readonly measure: (of: C, effort: Effort) => R | Promise<R>;
  readonly report: (answers: readonly Answer<C, R>[]) => Report;
}

/** A question of which nothing but its own file knows what its cases look like. */
export type AnyQuestion = Question<Case, unknown>;

/** No code may be made from strings where rules run: what needs that says so. */
export const NO_CODE_FROM_STRINGS = '--disallow-code-generation-from-strings';
