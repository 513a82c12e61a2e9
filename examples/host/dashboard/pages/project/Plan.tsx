/** The plan: how many rules it has room for, how many there are, and what the others allow. */
import { ruleLimits } from 'headgate/slim';
import { api, currentProject, useResource } from '../../data/index.js';
import { Badge, Link } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { PLANS } from '../../words/statuses.js';

type PlanName = keyof typeof PLANS;

const NAMES = Object.keys(PLANS) as PlanName[];
const YOURS = { text: 'Your plan', tone: 'busy' } as const;

export const Plan = ({ plan }: { readonly plan: PlanName }) => (
  <div class="hg-card hg-stack">
    <Quota plan={plan} />
    <ul class="hg-plans" aria-label="Plans">
      {NAMES.map((name) => (
        <li key={name} class="hg-plans__plan" aria-current={name === plan ? 'true' : undefined}>
          <strong>{PLANS[name]}</strong>
          <span class="hg-soft hg-small">{roomText(ruleLimits[name])}</span>
          {name === plan && <Badge bare status={YOURS} />}
        </li>
      ))}
    </ul>
    <p class="hg-soft hg-small">
      Everything else is the same in every plan. The operator of the service changes the plan.
    </p>
  </div>
);

const roomText = (limit: number): string =>
  Number.isFinite(limit) ? counted(limit, 'rule') : 'Any number of rules';

/** Rules that are disabled count as well. */
function Quota({ plan }: { readonly plan: PlanName }) {
  const project = currentProject();
  const rules = useResource(`rule quota ${project}`, (signal) =>
    api.listRules({ project, query: { limit: 1 }, signal }),
  );
  const { used = null, limit = null } = rules.value?.quota ?? {};
  return (
    <div class="hg-quota">
      <span class="hg-quota__text">
        <Link href="/dashboard/rules">Rules</Link>
        <span class="hg-quota__number">{used === null ? ' ' : usedText(used, limit)}</span>
      </span>
      {Number.isFinite(ruleLimits[plan]) && (
        <meter
          class="hg-quota__meter"
          aria-label="Rules that the plan has room for"
          max={ruleLimits[plan]}
          value={used ?? 0}
        />
      )}
    </div>
  );
}

const usedText = (used: number, limit: number | null): string =>
  limit === null ? `${count(used)}, without a limit` : `${count(used)} of ${count(limit)}`;
