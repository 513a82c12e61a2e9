/** How many rules a plan allows. */
import { HeadgateError, OptionError } from '../errors.js';

/** The plans of the service. */
export type Plan = 'hobby' | 'hacker' | 'pro' | 'scale';

/** Rules per project, enabled or not. @see docs/rules.md */
export const ruleLimits: { readonly [plan in Plan]: number } = {
  hobby: 1,
  hacker: 5,
  pro: 25,
  scale: Infinity,
};

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
 * @param existing - Rules the project has, enabled or not.
 * @param adding - Rules to be added.
 * @throws {@link QuotaError} when the plan has no room for them.
 * @throws {@link OptionError} `invalid_option` for an unknown plan or what is no count.
 * @see docs/rules.md
 */
export function assertRuleQuota(plan: Plan, existing: number, adding = 1): void {
  if (!Object.hasOwn(ruleLimits, plan)) {
    throw new OptionError(
      'invalid_option',
      `unknown plan ${plan}; known: ${Object.keys(ruleLimits).join(', ')}`,
    );
  }
  if (!isCount(existing) || !isCount(adding)) {
    throw new OptionError(
      'invalid_option',
      `existing and adding must be counts; they are ${existing} and ${adding}`,
    );
  }
  const limit = ruleLimits[plan];
  if (adding === 0 || existing + adding <= limit) return;
  throw new QuotaError(
    `the ${plan} plan has room for ${limit} ${limit === 1 ? 'rule' : 'rules'}; there are ${existing}, and ${adding} more would be too many`,
  );
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
