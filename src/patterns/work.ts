/** Charging work to an account. */
import type { Work } from './pattern.js';

/** UTF-16 units that can be searched for a text in the time of one unit of work; measured. */
export const NATIVE_UNITS = 4;

/** Charges work if enough is left; otherwise charges nothing and marks the account as exceeded. */
export function charge(work: Work, due: number): boolean {
  if (due > work.left) {
    work.exceeded = true;
    return false;
  }
  work.left -= due;
  return true;
}
