/** The rules that matched most, those that did not match, and how many the plan has room for. */
import { Card } from '../../parts/Card.js';
import { type Column, Link, Table, Time } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { PLANS } from '../../words/statuses.js';
import type { Overview, OverviewProps } from './props.js';
import type { Span } from '../../parts/time-range.js';

type Rules = Overview['rules'];
type Matched = Rules['matched'][number];
type Unmatched = Rules['unmatched']['items'][number];

export const Rules = ({ overview: { rules }, span }: OverviewProps) => (
  <div class="hg-overview__pair">
    <Card title="Rules that matched most" actions={<Usage rules={rules} />}>
      {rules.matched.length === 0 ? (
        <p class="hg-soft">No rule has matched in this time.</p>
      ) : (
        <Table
          caption="Rules that matched most"
          columns={matchedColumns(span)}
          rows={rules.matched}
          rowKey={({ id }: Matched) => id}
        />
      )}
    </Card>
    <Card
      title="Rules that did not match"
      actions={
        rules.unmatched.count > 0 && (
          <span class="hg-soft hg-small">{counted(rules.unmatched.count, 'enabled rule')}</span>
        )
      }
    >
      {rules.unmatched.count === 0 ? (
        <p class="hg-soft">Every enabled rule has matched in this time.</p>
      ) : (
        <Table
          caption="Rules that did not match"
          columns={UNMATCHED}
          rows={rules.unmatched.items}
          rowKey={({ id }: Unmatched) => id}
        />
      )}
    </Card>
  </div>
);

const Usage = ({ rules: { plan, used, limit } }: { readonly rules: Rules }) => (
  <Link href="/dashboard/project">
    {limit === null ? counted(used, 'rule') : `${count(used)} of ${counted(limit, 'rule')}`} on the{' '}
    {PLANS[plan as keyof typeof PLANS]} plan
  </Link>
);

const ruleColumn: Column<{ readonly id: string; readonly name: string }> = {
  id: 'name',
  head: 'Rule',
  title: true,
  cell: ({ id, name }) => (
    <Link href={`/dashboard/rules/${id}`}>
      <bdi class="hg-cut">{name}</bdi>
    </Link>
  ),
};

const matchedColumns = (span: Span): readonly Column<Matched>[] => [
  ruleColumn,
  {
    id: 'matched',
    head: 'Events',
    end: true,
    cell: ({ id, name, matched }) => (
      <Link
        href={`/dashboard/events?rule=${id}&since=${span}`}
        label={`${counted(matched, 'event')} that ${name} matched`}
      >
        {count(matched)}
      </Link>
    ),
  },
];

const UNMATCHED: readonly Column<Unmatched>[] = [
  ruleColumn,
  {
    id: 'last',
    head: 'Last match',
    end: true,
    cell: ({ last_matched_at: last }) =>
      last === null ? <span class="hg-soft">Never</span> : <Time at={last} />,
  },
];
