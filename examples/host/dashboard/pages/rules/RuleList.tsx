/** The rules in evaluation order, each to be moved, enabled or removed, and how many the plan has room for. */
import { api, hasCode, mayManage, type Resource, sentenceOf, useResource } from '../../data/index.js';
import { allOf } from '../../../src/client/index.js';
import { moved } from '../../parts/rule-editor/model/form.js';
import { retrying } from '../../parts/retrying.js';
import { SortableList } from '../../parts/SortableList.js';
import { toast } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { PLANS } from '../../words/statuses.js';
import type { AllRules, ShownRule } from './all-rules.js';
import { type Analysis, type Counts, RuleRow } from './RuleRow.js';
import { Upgrade } from './Upgrade.js';

export interface RuleListProps {
  readonly project: string;
  readonly all: Resource<AllRules>;
  readonly value: AllRules;
  readonly onRemove: (rule: ShownRule) => void;
}

export function RuleList({ project, all, value, onRemove }: RuleListProps) {
  const { rules, quota } = value;
  const countsOf = useCounts(project, rules);
  const analysisOf = useAnalysis(project, rules);
  return (
    <div class="hg-stack">
      <p class="hg-soft hg-small">
        {quota.limit === null
          ? counted(quota.used, 'rule')
          : `${count(quota.used)} of ${counted(quota.limit, 'rule')} that the plan ${planName(quota.plan)} has room for`}
      </p>
      {quota.limit !== null && quota.used >= quota.limit && <Upgrade plan={quota.plan} limit={quota.limit} />}
      <SortableList
        label="Rules in evaluation order"
        items={rules}
        itemKey={({ id }) => id}
        itemName={({ name }) => name}
        onMove={(from, to) => void reorder({ project, all, value }, from, to)}
        disabled={!mayManage()}
      >
        {(rule) => (
          <RuleRow
            rule={rule}
            analysis={analysisOf.get(rule.id)}
            counts={countsOf.get(rule.id)}
            onEnable={(enabled) => void enable({ project, all, value }, rule, enabled)}
            onRemove={() => onRemove(rule)}
          />
        )}
      </SortableList>
    </div>
  );
}

const planName = (plan: string): string =>
  Object.hasOwn(PLANS, plan) ? PLANS[plan as keyof typeof PLANS] : plan;

const byRule = <Item extends { readonly rule_id: string }>(
  items: readonly Item[] | undefined,
): ReadonlyMap<string, Item> => new Map((items ?? []).map((item) => [item.rule_id, item]));

function useCounts(project: string, rules: readonly ShownRule[]): ReadonlyMap<string, Counts> {
  const ids = rules.map(({ id }) => id).join(' ');
  const counts = useResource(`rule counts ${project} ${ids}`, (signal) =>
    allOf(api.listRuleCounts, { project, query: { period: 'week', limit: 50 }, signal }),
  );
  return byRule(counts.value);
}

function useAnalysis(project: string, rules: readonly ShownRule[]): ReadonlyMap<string, Analysis> {
  // A rule that was edited is analyzed again.
  const versions = rules.map((rule) => `${rule.id} ${rule.version}`).join(' ');
  const analysis = useResource(`rule analysis ${project} ${versions}`, (signal) =>
    retrying(signal, () => allOf(api.analyzeRules, { project, signal })),
  );
  return byRule(analysis.value);
}

/** The rules as they are shown, before a change. */
type Shown = Omit<RuleListProps, 'onRemove'>;

/** Shows the new order at once, and the old one again if it could not be saved. */
async function reorder({ project, all, value }: Shown, from: number, to: number): Promise<void> {
  const { version } = value;
  const rules = moved(value.rules, from, to);
  all.set({ ...value, rules });
  try {
    const body = { ids: rules.map(({ id }) => id) };
    const answer = await api.orderRules({
      project,
      body,
      ...(version !== undefined && { ifMatch: version }),
    });
    const byId = new Map(answer.items.map((item) => [item.id, item]));
    all.set({
      ...value,
      rules: rules.map((rule) => ({ ...rule, ...byId.get(rule.id) })),
      version: `"${answer.version}"`,
    });
    toast('The order is saved');
  } catch (error) {
    const isCrossed = hasCode(error, 'version_conflict', 'conflict');
    toast(
      isCrossed ? 'Somebody has changed the rules meanwhile, so the order was not saved.' : sentenceOf(error),
      { tone: 'bad' },
    );
    all.set(value);
    all.reload();
  }
}

async function enable({ project, all, value }: Shown, rule: ShownRule, enabled: boolean): Promise<void> {
  const body = { enabled };
  try {
    const saved = await api.updateRule({ project, rule: rule.id, body, ifMatch: rule.version });
    toast(enabled ? `${rule.name} is enabled` : `${rule.name} is disabled`);
    const rules = value.rules.map((one) => (one.id === rule.id ? saved : one));
    all.set({ ...value, rules, version: undefined });
  } catch (error) {
    toast(sentenceOf(error), { tone: 'bad' });
  }
  all.reload();
}
