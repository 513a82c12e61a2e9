/** All rules, in the order in which they are evaluated. */
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import {
  api,
  currentProject,
  hasCode,
  mayManage,
  type Output,
  type Resource,
  sentenceOf,
  useCommands,
  useResource,
} from '../../data/index.js';
import { allOf } from '../../../src/client/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { moved } from '../../parts/rule-editor/model/form.js';
import { retrying } from '../../parts/retrying.js';
import { SortableList } from '../../parts/SortableList.js';
import { Badge, Button, Empty, Link, Menu, Page, Spark, Switch, Time, toast } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { ACTIONS, PLANS, statusOf } from '../../words/statuses.js';
import { type AllRules, type ShownRule, useAllRules } from './all-rules.js';
import { DeleteDialog } from './DeleteDialog.js';
import { ImportDialog } from './ImportDialog.js';
import './RulesPage.css';
import { TemplatesDialog } from './TemplatesDialog.js';
import { Upgrade } from './Upgrade.js';

type Opened = 'import' | 'templates' | { readonly remove: ShownRule } | null;

const RulesPage = () => {
  const project = currentProject();
  const { route } = useLocation();
  const all = useAllRules(project);
  const [opened, setOpened] = useState<Opened>(null);
  const exportUrl = `/projects/${project}/rules/export`;
  const isWriter = mayManage();
  useCommands([
    ...(isWriter
      ? [
          { text: 'New rule', keys: 'c', run: () => route('/dashboard/rules/new') },
          { text: 'Begin a rule from a template', run: () => setOpened('templates') },
          { text: 'Import rules', run: () => setOpened('import') },
        ]
      : []),
  ]);
  const close = (): void => setOpened(null);
  return (
    <Page
      title="Rules"
      text="Each event meets them in this order. The first drop that matches ends it; the effects of all others add up."
      actions={
        <>
          <Menu
            label="More"
            icon="more"
            end
            items={[
              ...(isWriter ? [{ text: 'Import…', onSelect: () => setOpened('import') } as const] : []),
              { text: 'Export', href: exportUrl },
            ]}
          />
          {isWriter && <Button onClick={() => setOpened('templates')}>Templates</Button>}
          {isWriter && (
            <Button kind="primary" icon="plus" href="/dashboard/rules/new">
              New rule
            </Button>
          )}
        </>
      }
    >
      <Loaded of={all}>
        {(value) =>
          value.rules.length === 0 ? (
            <Empty
              icon="rules"
              title="No rules yet"
              text="Every event goes to every active endpoint. Rules drop, change, route and tag events before that."
            >
              {isWriter && (
                <>
                  <Button onClick={() => setOpened('templates')}>Begin with a template</Button>
                  <Button href="/dashboard/rules/new">Write a rule</Button>
                </>
              )}
            </Empty>
          ) : (
            <RuleList
              project={project}
              all={all}
              value={value}
              onRemove={(remove) => setOpened({ remove })}
            />
          )
        }
      </Loaded>
      {opened === 'import' && <ImportDialog project={project} onClose={close} onDone={all.reload} />}
      {opened === 'templates' && <TemplatesDialog onClose={close} />}
      {opened !== null && typeof opened === 'object' && (
        <DeleteDialog
          project={project}
          rule={opened.remove}
          onClose={close}
          onDone={() => {
            close();
            all.reload();
          }}
        />
      )}
    </Page>
  );
};
export default RulesPage;

interface RuleListProps {
  readonly project: string;
  readonly all: Resource<AllRules>;
  readonly value: AllRules;
  readonly onRemove: (rule: ShownRule) => void;
}

function RuleList({ project, all, value, onRemove }: RuleListProps) {
  const { rules, quota, version } = value;
  const ids = rules.map(({ id }) => id).join(' ');
  const counts = useResource(`rule counts ${project} ${ids}`, (signal) => allCounts(project, signal));
  // A rule that was edited is found in another way.
  const versions = rules.map((rule) => `${rule.id} ${rule.version}`).join(' ');
  const analysis = useResource(`rule analysis ${project} ${versions}`, (signal) =>
    retrying(signal, () => allAnalysis(project, signal)),
  );

  const reorder = async (from: number, to: number): Promise<void> => {
    const next = moved(rules, from, to);
    all.set({ ...value, rules: next });
    try {
      const ids = next.map(({ id }) => id);
      const answer = await api.orderRules({
        project,
        body: { ids },
        ...(version !== undefined && { ifMatch: version }),
      });
      const byId = new Map(answer.items.map((item) => [item.id, item]));
      all.set({
        ...value,
        rules: next.map((rule) => ({ ...rule, ...byId.get(rule.id) })),
        version: `"${answer.version}"`,
      });
      toast('The order is saved');
    } catch (error) {
      const isCrossed = hasCode(error, 'version_conflict', 'conflict');
      toast(
        isCrossed
          ? 'Somebody has changed the rules meanwhile, so the order was not saved.'
          : sentenceOf(error),
        { tone: 'bad' },
      );
      all.set(value);
      all.reload();
    }
  };
  const enable = async (rule: ShownRule, enabled: boolean): Promise<void> => {
    try {
      const saved = await api.updateRule({
        project,
        rule: rule.id,
        body: { enabled },
        ifMatch: rule.version,
      });
      toast(enabled ? `${rule.name} is enabled` : `${rule.name} is disabled`);
      all.set({
        ...value,
        rules: rules.map((one) => (one.id === rule.id ? saved : one)),
        version: undefined,
      });
    } catch (error) {
      toast(sentenceOf(error), { tone: 'bad' });
    }
    all.reload();
  };
  const analysisOf = new Map((analysis.value ?? []).map((item) => [item.rule_id, item]));
  const countsOf = new Map((counts.value ?? []).map((item) => [item.rule_id, item]));
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
        onMove={(from, to) => void reorder(from, to)}
        disabled={!mayManage()}
      >
        {(rule) => (
          <RuleRow
            rule={rule}
            analysis={analysisOf.get(rule.id)}
            counts={countsOf.get(rule.id)}
            onEnable={(enabled) => void enable(rule, enabled)}
            onRemove={() => onRemove(rule)}
          />
        )}
      </SortableList>
    </div>
  );
}

const planName = (plan: string): string =>
  Object.hasOwn(PLANS, plan) ? PLANS[plan as keyof typeof PLANS] : plan;

type Analysis = Output<'analyzeRules'>['items'][number];
type Counts = Output<'listRuleCounts'>['items'][number];

interface RuleRowProps {
  readonly rule: ShownRule;
  readonly analysis: Analysis | undefined;
  readonly counts: Counts | undefined;
  readonly onEnable: (enabled: boolean) => void;
  readonly onRemove: () => void;
}

function RuleRow({ rule, analysis, counts, onEnable, onRemove }: RuleRowProps) {
  const { id, name, description, action, enabled, counts: ever } = rule;
  const href = `/dashboard/rules/${id}`;
  return (
    <div class={enabled ? 'hg-rule' : 'hg-rule hg-rule--off'}>
      <Switch label={`${name} is enabled`} checked={enabled} onChange={onEnable} disabled={!mayManage()} />
      <div class="hg-rule__main">
        <div class="hg-row">
          <Link plain href={href} class="hg-rule__name">
            {name}
          </Link>
          <Badge status={statusOf(ACTIONS, action.type)} />
          {!enabled && <span class="hg-small hg-soft">disabled</span>}
        </div>
        {description !== undefined && description !== '' && (
          <p class="hg-small hg-soft hg-cut">{description}</p>
        )}
        {analysis !== undefined && analysis.warnings.length > 0 && (
          <ul class="hg-rule__warnings" aria-label={`Warnings about ${name}`}>
            {analysis.warnings.map(({ message }, place) => (
              <li key={place}>{message}</li>
            ))}
          </ul>
        )}
      </div>
      <div class="hg-rule__counts">
        {counts !== undefined ? (
          <Spark values={counts.series} label={`${counted(counts.matched, 'match', 'matches')} in 7 days`} />
        ) : (
          <span class="hg-rule__spark" />
        )}
        <span class="hg-small hg-soft hg-number">
          {count(ever.last_24h)} in 24 h
          {ever.last_matched_at !== null && (
            <>
              , last <Time at={ever.last_matched_at} />
            </>
          )}
        </span>
      </div>
      <Menu
        label={`Actions for ${name}`}
        icon="more"
        kind="quiet"
        size="s"
        end
        items={[
          { text: 'Edit', icon: 'edit', href },
          { text: 'Events that it matched', icon: 'events', href: `/dashboard/events?rule=${id}` },
          ...(mayManage()
            ? ([
                { text: 'Make a copy', icon: 'copy', href: `/dashboard/rules/new?from=${id}` },
                { text: 'Delete…', icon: 'trash', danger: true, onSelect: onRemove },
              ] as const)
            : []),
        ]}
      />
    </div>
  );
}

const allCounts = (project: string, signal: AbortSignal): Promise<readonly Counts[]> =>
  allOf(api.listRuleCounts, { project, query: { period: 'week', limit: 50 }, signal });

const allAnalysis = (project: string, signal: AbortSignal): Promise<readonly Analysis[]> =>
  allOf(api.analyzeRules, { project, signal });
