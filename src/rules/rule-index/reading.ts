/** The event at hand and the values derived from it so far. */
import type { Subjects } from '../match/index.js';

/** The event at hand, as key finders see it. */
export interface Reading {
  /** Numbers, sizes and tables derived from its values. */
  readonly subjects: Subjects;
  /** UTF-16 units of the longest string that a pattern looks at; 0 where every rule's budget suffices. */
  readonly longest: number;
  /** The number of a structure among those that rules compare with; `UNKNOWN` where it equals none of them. */
  structure(structure: object): number;
}
