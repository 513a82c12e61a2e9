/** What is known of the event at hand while the index looks for rules. */
import type { Subjects } from '../account.js';

/** The event at hand, for whoever finds keys in it. */
export interface Reading {
  /** What was found out about its values. */
  readonly subjects: Subjects;
  /** UTF-16 units of the longest string that a pattern looks at; 0 where none is too long for any rule's budget. */
  readonly longest: number;
  /** The number of a structure among those that rules compare with; `UNKNOWN` where it equals none of them. */
  structure(structure: object): number;
}
