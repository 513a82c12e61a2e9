/** Posts rules under the keys and ranges by which one index finds them. */
import { isRange, type Access, type KeyAccess } from './cover.js';
import type { Key } from './keys.js';
import type { PathPlan } from './path-keys.js';
import type { IndexPlan, Member, Posting, RangePosting } from './plan.js';

/** The postings of one index, while its members are added. */
export class Postings {
  readonly byKey = new Map<Key, Posting[] | IndexPlan>();
  readonly byRange = new Map<PathPlan, RangePosting[]>();
  readonly always: Member[] = [];

  add(member: Member): void {
    if (member.cover === null) {
      this.always.push(member);
      return;
    }
    for (const access of member.cover.sufficient) this.#post(member, access, true);
    for (const access of member.cover.necessary) this.#post(member, access, false);
  }

  #post(member: Member, access: Access, isSufficient: boolean): void {
    if (isRange(access)) this.#postRange({ member, range: access, isSufficient });
    else this.#postKeys(member, access, isSufficient);
  }

  #postRange(posting: RangePosting): void {
    const { path } = posting.range;
    const postings = this.byRange.get(path);
    if (postings === undefined) this.byRange.set(path, [posting]);
    else postings.push(posting);
  }

  #postKeys(member: Member, { leaf, keys }: KeyAccess, isSufficient: boolean): void {
    const isExact = keys === leaf.heldBy;
    const guard = member.required.find((other) => other.leaf !== leaf)?.key ?? null;
    const posting = { member, leaf, isExact, isCertain: isSufficient && isExact, guard };
    // The keys that lead to this rule alone share one list. Another rule that joins gets a list of its own.
    const alone = [posting];
    for (const key of keys) {
      const others = this.byKey.get(key) as Posting[] | undefined;
      this.byKey.set(key, others === undefined ? alone : joined(others, posting, alone));
    }
  }
}

/** The postings of a key and one more. A member is posted once, for certain if any of its postings is. */
function joined(others: Posting[], posting: Posting, alone: Posting[]): Posting[] {
  const last = others.at(-1) as Posting;
  const isKnown = last.member === posting.member;
  if (isKnown && (last.isCertain || !posting.isCertain)) return others;
  if (others.length === 1) return isKnown ? alone : [last, posting];
  if (isKnown) others.pop();
  others.push(posting);
  return others;
}
