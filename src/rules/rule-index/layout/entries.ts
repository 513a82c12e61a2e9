/** Entries: a rule as a number. It is the place of the rule's record, and a bit that is set where the rule matches for certain. */

/** A rule by the place of its record. */
export const entryOf = (place: number, isCertain: boolean): number => (place << 1) | (isCertain ? 1 : 0);

/** The place of the record of an entry's rule. */
export const placeOfEntry = (entry: number): number => entry >> 1;

/** Whether the rule of an entry matches for certain. */
export const isCertainEntry = (entry: number): boolean => (entry & 1) === 1;
