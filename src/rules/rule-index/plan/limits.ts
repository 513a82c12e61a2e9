/** The limits of planning. */
export const limits = {
  /** A key with more rules than this may get an inner index. */
  largestList: 6,
  /** Keys of a rule among which the guards of its postings are chosen. */
  requiredKeys: 4,
  /** Levels of indexes within indexes, the outermost among them. */
  levels: 4,
  /** An inner index must be expected to spare this share of its rules. */
  leastSaving: 0.5,
  /**
   * A rule is planned again for every crowded key that it is posted under. All inner indexes together may spend this
   * many times the work of its first plan on it, and `freeWork` besides; in further ones it is always a candidate.
   */
  plansOfRule: 8,
  freeWork: 2_048,
} as const;
