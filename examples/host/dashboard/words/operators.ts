/** The operators of match trees in words: `data.amount` *is greater than* 5. */

/** Every operator, as the middle of a sentence. */
export const OPERATORS = {
  eq: 'is',
  neq: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  in: 'is one of',
  not_in: 'is none of',
  matches: 'matches',
  not_matches: 'does not match',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  exists: 'is there',
  missing: 'is missing',
} as const;

export type OperatorName = keyof typeof OPERATORS;

/** An operator in words; one that is not known is shown as it is. */
export const operatorText = (name: string): string =>
  Object.hasOwn(OPERATORS, name) ? OPERATORS[name as OperatorName] : name;
