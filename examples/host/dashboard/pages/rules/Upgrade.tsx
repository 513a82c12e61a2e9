/** The plan has no room for another rule. */
import { Button, Notice } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { PLANS } from '../../words/statuses.js';

export interface UpgradeProps {
  readonly plan: string;
  readonly limit: number;
}

export const Upgrade = ({ plan, limit }: UpgradeProps) => (
  <Notice
    tone="warn"
    action={
      <Button size="s" href="/dashboard/project">
        See the plans
      </Button>
    }
  >
    The plan {Object.hasOwn(PLANS, plan) ? PLANS[plan as keyof typeof PLANS] : plan} has room for{' '}
    {counted(limit, 'rule')}, and they are all taken. Upgrade it, or delete a rule.
  </Notice>
);

/** The plan and its limit, as the problem `quota_exceeded` tells them. */
export const upgradeOf = (body: Readonly<Record<string, unknown>>): UpgradeProps => ({
  plan: typeof body.plan === 'string' ? body.plan : '',
  limit: Number(body.limit ?? 0),
});
