/** Whether anything can meet conditions on one value. "No" is sure; what is hard to tell counts as possible. */
import type { Json } from '../../json.js';
import { numberIn } from '../match/index.js';
import { meets, membersOf, questionsOf, type Condition } from './condition.js';
import type { Effort } from './effort.js';
import { couldBe, type Kind } from './kinds.js';

const kinds: readonly Kind[] = ['text', 'numeral', 'number', 'array', 'object'];

/** False only where it is sure that nothing, not even an absence, meets all conditions. */
export function isPossible(conditions: readonly Condition[], effort: Effort): boolean {
  if (meets(undefined, conditions, effort)) return true;
  const members = fewestMembers(conditions);
  // Where no value is named, what null or a boolean would meet an object meets too.
  if (members === undefined) return kinds.some((kind) => couldBe(kind, conditions, effort));
  return members.some((member) => isPossibleFor(member, conditions, effort));
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
function isPossibleFor(member: Json, conditions: readonly Condition[], effort: Effort): boolean {
  if (meets(member, conditions, effort)) return true;
  if (typeof member === 'number') return couldBe('numeral', conditions, effort, member);
  const number = typeof member === 'string' ? numberIn(member) : undefined;
  return number !== undefined && meets(number, conditions, effort);
}
