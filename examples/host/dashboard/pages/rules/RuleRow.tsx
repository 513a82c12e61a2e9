/** A rule in the list of rules: what it does, what is odd about it, and how often it matched. */
import { mayManage, type Output } from '../../data/index.js';
import { Badge, Link, Menu, Spark, Switch, Time } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { ACTIONS, statusOf } from '../../words/statuses.js';
import type { ShownRule } from './all-rules.js';

export type Analysis = Output<'analyzeRules'>['items'][number];
export type Counts = Output<'listRuleCounts'>['items'][number];

export interface RuleRowProps {
  readonly rule: ShownRule;
  readonly analysis: Analysis | undefined;
  readonly counts: Counts | undefined;
  readonly onEnable: (enabled: boolean) => void;
  readonly onRemove: () => void;
}

export function RuleRow({ rule, analysis, counts, onEnable, onRemove }: RuleRowProps) {
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
            {analysis.warnings.map(({ message }, index) => (
              <li key={index}>{message}</li>
            ))}
          </ul>
        )}
      </div>
      <RowCounts counts={counts} ever={ever} />
      <RowMenu rule={rule} onRemove={onRemove} />
    </div>
  );
}

const RowCounts = ({
  counts,
  ever,
}: Pick<RuleRowProps, 'counts'> & { readonly ever: ShownRule['counts'] }) => (
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
);

const RowMenu = ({ rule: { id, name }, onRemove }: Pick<RuleRowProps, 'rule' | 'onRemove'>) => (
  <Menu
    label={`Actions for ${name}`}
    icon="more"
    kind="quiet"
    size="s"
    end
    items={[
      { text: 'Edit', icon: 'edit', href: `/dashboard/rules/${id}` },
      { text: 'Events that it matched', icon: 'events', href: `/dashboard/events?rule=${id}` },
      ...(mayManage()
        ? ([
            { text: 'Make a copy', icon: 'copy', href: `/dashboard/rules/new?from=${id}` },
            { text: 'Delete…', icon: 'trash', danger: true, onSelect: onRemove },
          ] as const)
        : []),
    ]}
  />
);
