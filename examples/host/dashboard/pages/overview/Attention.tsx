/** Endpoints that are failing, with their causes, and the alerts that are open. */
import { KIND_TEXTS, placeOf } from '../../parts/alert-kinds.js';
import { cappedCount } from '../../parts/attention.js';
import { Card } from '../../parts/Card.js';
import { Badge, type Column, Link, Table, Time } from '../../ui/index.js';
import { causeOf } from '../../words/causes.js';
import { count } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';
import type { Overview, OverviewProps } from './props.js';

type Failing = Overview['failing_endpoints']['items'][number];
type Alert = Overview['alerts']['items'][number];

export const Attention = ({ overview: { failing_endpoints: failing, alerts } }: OverviewProps) => (
  <div class="hg-overview__pair">
    <Card
      title="Failing endpoints"
      actions={<More of={failing} href="/dashboard/endpoints" text="All endpoints" />}
    >
      {failing.items.length === 0 ? (
        <p class="hg-soft">No endpoint is failing.</p>
      ) : (
        <Table
          caption="Failing endpoints"
          columns={FAILING}
          rows={failing.items}
          rowKey={({ id }: Failing) => id}
        />
      )}
    </Card>
    <Card title="Open alerts" actions={<More of={alerts} href="/dashboard/alerts" text="All alerts" />}>
      {alerts.items.length === 0 ? (
        <p class="hg-soft">No alerts are open.</p>
      ) : (
        <Table caption="Open alerts" columns={ALERTS} rows={alerts.items} rowKey={({ id }: Alert) => id} />
      )}
    </Card>
  </div>
);

/** Leads to the whole list; it says how long that is if it has more than the card. */
const More = ({
  of: { count: all, items },
  href,
  text,
}: {
  readonly of: { readonly count: number; readonly items: readonly unknown[] };
  readonly href: string;
  readonly text: string;
}) => (
  <>
    {all > items.length && (
      <span class="hg-soft hg-small">
        {count(items.length)} of {cappedCount(all)}
      </span>
    )}
    <Link href={href}>{text}</Link>
  </>
);

const FAILING: readonly Column<Failing>[] = [
  {
    id: 'name',
    head: 'Endpoint',
    title: true,
    cell: ({ id, name }) => (
      <Link href={`/dashboard/endpoints/${id}`}>
        <bdi class="hg-cut">{visible(name)}</bdi>
      </Link>
    ),
  },
  {
    id: 'causes',
    head: 'Causes',
    cell: ({ id, failures }) => (
      <ul class="hg-overview__causes">
        {failures.map(({ code, attempts }) => (
          <li key={code}>
            <Link plain href={`/dashboard/endpoints/${id}?failure=${code}&tab=deliveries`}>
              {causeOf(code).text}
            </Link>
            <span class="hg-soft"> {count(attempts)}</span>
          </li>
        ))}
      </ul>
    ),
  },
  { id: 'since', head: 'Since', cell: ({ failing_since: since }) => <Time at={since} /> },
];

const ALERTS: readonly Column<Alert>[] = [
  { id: 'what', head: 'What', title: true, cell: ({ kind }) => <Badge bare status={KIND_TEXTS[kind]} /> },
  {
    id: 'where',
    head: 'Where',
    cell: (alert) => {
      const { text, href } = placeOf(alert);
      const shown = <bdi class="hg-cut">{visible(text)}</bdi>;
      return href === null ? <span class="hg-soft">{shown}</span> : <Link href={href}>{shown}</Link>;
    },
  },
  { id: 'last', head: 'Last', cell: (alert) => <Time at={alert.last_at} /> },
];
