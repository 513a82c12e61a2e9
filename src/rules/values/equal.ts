/** Equality of JSON values, with what does not depend on the subject worked out beforehand. */
import { jsonEquals, rememberKeys, type Json } from '../../json.js';
import { numberSpelled, type Account } from './account.js';
import { numberIn } from './numbers.js';
import { isStructure } from './structures.js';

/** A question about a value that is present, which no budget can leave open. */
export type SureTest = (subject: unknown, account: Account) => boolean;

/** Whether a subject equals one value; a number equals the strings that spell it. */
export function equalTo(value: Json): SureTest {
  if (typeof value === 'number') {
    return (subject, account) =>
      typeof subject === 'string' ? numberSpelled(subject, account) === value : subject === value;
  }
  if (typeof value === 'string') {
    const number = numberIn(value);
    return (subject) => subject === value || (number !== undefined && subject === number);
  }
  if (!isStructure(value)) return (subject) => subject === value;
  return equalToStructure(value);
}

function equalToStructure(value: Json): SureTest {
  const keysOfLeft = rememberKeys();
  return (subject, account) =>
    jsonEquals(value, subject, { keysOfLeft, sizeOfRight: (object) => account.subjects.sizeOf(object) });
}

/** Whether a subject equals any of many values: scalars are found by hash, structures compared one by one. */
export function memberOf(values: readonly Json[]): SureTest {
  const scalars = new Set<unknown>(values);
  const spelled = new Set<number | undefined>();
  const structures = values.filter(isStructure).map(equalToStructure);
  for (const value of values) {
    if (typeof value === 'string') spelled.add(numberIn(value));
  }
  spelled.delete(undefined);
  return (subject, account) => {
    if (isStructure(subject)) return structures.some((isEqual) => isEqual(subject, account));
    if (scalars.has(subject)) return true;
    if (typeof subject === 'number') return spelled.has(subject);
    const number = typeof subject === 'string' ? numberSpelled(subject, account) : undefined;
    return number !== undefined && scalars.has(number);
  };
}
