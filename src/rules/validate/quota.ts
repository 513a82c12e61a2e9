/** How many rules a plan allows. */
import { HeadgateError } from '../../errors.js';
import { isCount } from '../../integers.js';
import { invalidOption } from './options.js';
import { show } from '../issues/index.js';

/** The plans of the service. */
export type Plan = 'hobby' | 'hacker' | 'pro' | 'scale';

/** Rules per project, enabled or not. @see docs/rules.md */
export const ruleLimits: { readonly [plan in Plan]: number } = Object.freeze({
  hobby: 1,
  hacker: 5,
  pro: 25,
  scale: Infinity,
});

/** A rule more than the plan allows. */
export class QuotaError extends HeadgateError<'quota_exceeded'> {
  override readonly name = 'QuotaError';
  /** The HTTP status to answer with. */
  readonly status = 402;

  /** @param message - Says which plan has room for how many. */
  constructor(message: string) {
    super('quota_exceeded', message);
  }
}

/**
 * Passes when a project may have this many rules more.
 *
 * @example
 * ```ts
 * import { assertRuleQuota, QuotaError } from 'headgate';
 *
 * assertRuleQuota('pro', 24); // room for one more
 * try {
 *   assertRuleQuota(100, 100); // a limit of the host's own
 * } catch (error) {
 *   if (error instanceof QuotaError) console.log(error.status); // 402
 * }
 * ```
 * @param plan - The plan, or the limit itself where the host has plans of its own; `Infinity` for none.
 * @param existing - Rules the project has, enabled or not.
 * @param adding - Rules to be added.
 * @throws {@link QuotaError} when the plan has no room for them.
 * @throws {@link OptionError} `invalid_option` for an unknown plan, or a number that is not a count.
 * @see docs/rules.md
 */
export function assertRuleQuota(plan: Plan | number, existing: number, adding = 1): void {
  const limit = limitOf(plan);
  if (!isCount(existing) || !isCount(adding)) {
    throw invalidOption(`existing and adding must be counts; they are ${show(existing)} and ${show(adding)}`);
  }
  if (adding === 0 || existing + adding <= limit) return;
  const room = `has room for ${limit} ${limit === 1 ? 'rule' : 'rules'}`;
  throw new QuotaError(
    `the ${typeof plan === 'number' ? '' : `${plan} `}plan ${room}; there are ${existing}, and ${adding} more would be too many`,
  );
}

function limitOf(plan: unknown): number {
  if (isPlan(plan)) return ruleLimits[plan];
  if (plan === Infinity || isCount(plan)) return plan;
  if (typeof plan === 'number') {
    throw invalidOption(`a limit of rules must be a whole number from 0, or Infinity; it is ${plan}`);
  }
  const known = Object.keys(ruleLimits).join(', ');
  throw invalidOption(`unknown plan ${typeof plan === 'string' ? plan : show(plan)}; known: ${known}`);
}

const isPlan = (plan: unknown): plan is Plan => typeof plan === 'string' && Object.hasOwn(ruleLimits, plan);
