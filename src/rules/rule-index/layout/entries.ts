/**
 * Entries: a rule as a number. It is the offset of the rule's record, and a bit that is set if the rule matches for
 * certain.
 */

/** A rule by the offset of its record. */
export const entryOf = (offset: number, isCertain: boolean): number => (offset << 1) | (isCertain ? 1 : 0);

/** The offset of the record of an entry's rule. */
export const offsetOfEntry = (entry: number): number => entry >> 1;

/** Whether the rule of an entry matches for certain. */
export const isCertainEntry = (entry: number): boolean => (entry & 1) === 1;
