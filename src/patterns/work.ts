/** Paying out of an account of work. */
import type { Work } from './pattern.js';

/** UTF-16 units that are searched for texts at the cost of one unit of work; measured. */
export const NATIVE_UNITS = 4;

/** Takes what is due, if there is so much left; else takes nothing, and notes that the account was exceeded. */
export function charge(work: Work, due: number): boolean {
  if (due > work.left) {
    work.exceeded = true;
    return false;
  }
  work.left -= due;
  return true;
}
