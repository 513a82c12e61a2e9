/** Whether anything can meet conditions on one value. "No" is sure; what is hard to tell counts as possible. */
import type { Json } from '../../json.js';
import { numberIn } from '../numbers.js';
import { meets, membersOf, questionsOf, type Condition } from './condition.js';
import { couldBe, type Kind } from './kinds.js';

const kinds: readonly Kind[] = ['text', 'numeral', 'number', 'array', 'object'];

/** Members of a list that are tried one by one; a longer list counts as possible. */
const MAX_MEMBERS = 256;

/** False only where it is sure that nothing, not even an absence, meets all conditions. */
export function isPossible(conditions: readonly Condition[]): boolean {
  if (meets(undefined, conditions)) return true;
  const members = fewestMembers(conditions);
  // Where no value is named, what null or a boolean would meet an object meets too.
  if (members === undefined) return kinds.some((kind) => couldBe(kind, conditions));
  return members.length > MAX_MEMBERS || members.some((member) => isPossibleFor(member, conditions));
}

/** The shortest of the lists to which the value must belong, if any. */
const fewestMembers = (conditions: readonly Condition[]): readonly Json[] | undefined =>
  questionsOf(conditions)
    .flatMap((question) => (question.yes ? [membersOf(question)] : []))
    .reduce(
      (best, list) => (best === undefined || (list?.length ?? Infinity) < best.length ? list : best),
      undefined,
    );

/** Whether a member, or what equals it by coercion, meets all conditions. */
function isPossibleFor(member: Json, conditions: readonly Condition[]): boolean {
  if (meets(member, conditions)) return true;
  if (typeof member === 'number') return couldBe('numeral', conditions, member);
  const number = typeof member === 'string' ? numberIn(member) : undefined;
  return number !== undefined && meets(number, conditions);
}
