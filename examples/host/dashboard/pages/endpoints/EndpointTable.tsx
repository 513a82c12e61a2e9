/** The table of endpoints. */
import { ROOT } from '../../data/index.js';
import { Badge, type Column, Link, Spark, Table } from '../../ui/index.js';
import { count, counted, percent } from '../../words/numbers.js';
import { type Tone } from '../../words/statuses.js';
import { duration } from '../../words/time.js';
import { visible } from '../../words/visible.js';
import type { Row, Span } from './endpoint-list.js';
import { stateOf } from './state.js';

/** The pending deliveries of one endpoint are counted so far. */
const MOST_PENDING = 1_000;
const NONE = <span class="hg-soft">–</span>;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    head: 'Endpoint',
    title: true,
    cell: ({ endpoint }) => (
      <span class="hg-endpoints__name">
        <Link href={`${ROOT}/endpoints/${endpoint.id}`} plain>
          <bdi class="hg-cut">{visible(endpoint.name)}</bdi>
        </Link>
        <bdi class="hg-cut hg-soft hg-small" title={endpoint.url}>
          {visible(endpoint.url)}
        </bdi>
      </span>
    ),
  },
  { id: 'state', head: 'State', cell: ({ endpoint }) => <State endpoint={endpoint} /> },
  { id: 'success', head: 'Success', end: true, cell: Success },
  { id: 'attempts', head: 'Attempts', end: true, cell: Attempts },
  {
    id: 'p95',
    head: 'p95',
    end: true,
    cell: P95,
  },
  { id: 'pending', head: 'Pending', end: true, cell: Pending },
];

const State = ({ endpoint }: Pick<Row, 'endpoint'>) => (
  <>
    <Badge status={stateOf(endpoint)} bare />
    {endpoint.purpose === 'alerts' && <span class="hg-soft">, alerts</span>}
  </>
);

function Success({ health }: Row) {
  if (health === null) return NONE;
  if (health.success_rate === null) return NONE;
  const tone: Tone = health.undelivered === 0 ? 'good' : 'bad';
  return (
    <span class={`hg-endpoints__share hg-tone-${tone}`} title={deliveriesText(health)}>
      {percent(health.success_rate)}
    </span>
  );
}

function P95({ health }: Row) {
  const ms = health?.p95_ms ?? null;
  if (ms === null) return NONE;
  return <span title="95 of 100 attempts ended within this time">{duration(ms)}</span>;
}

function Attempts({ health }: Row) {
  if (health === null || health.attempts === 0) return NONE;
  return <span title={attemptsText(health)}>{count(health.attempts)}</span>;
}

const deliveriesText = ({ delivered, undelivered }: NonNullable<Row['health']>): string =>
  `${count(delivered)} of ${counted(delivered + undelivered, 'delivery', 'deliveries')} arrived`;

const attemptsText = ({ attempts, failed }: { readonly attempts: number; readonly failed: number }): string =>
  `${counted(attempts, 'attempt')}, ${count(failed)} failed`;

function Pending({ endpoint, health }: Row) {
  if (health === null || health.pending === 0) return NONE;
  const text = health.pending >= MOST_PENDING ? `${count(MOST_PENDING)}+` : count(health.pending);
  return (
    <Link
      href={`${ROOT}/endpoints/${endpoint.id}?state=pending&tab=deliveries`}
      label={`${text} pending deliveries to ${endpoint.name}`}
    >
      {text}
    </Link>
  );
}

/** The sparkline shows attempts; its colour shows whether some failed. */
const sparkColumn = (span: Span): Column<Row> => ({
  id: 'line',
  head: span === 'hour' ? 'Last hour' : 'Last 24 hours',
  end: true,
  cell: ({ health }) =>
    health === null || health.attempts === 0 ? (
      <span class="hg-soft hg-small">No attempts</span>
    ) : (
      <span class="hg-endpoints__spark">
        <Spark
          label={attemptsText(health)}
          values={health.series.map(({ attempts }) => attempts)}
          tone={health.failed === 0 ? 'good' : 'bad'}
        />
      </span>
    ),
});

export const EndpointTable = ({ rows, span }: { readonly rows: readonly Row[]; readonly span: Span }) => (
  <div class="hg-endpoints">
    <Table
      caption="Endpoints"
      columns={[...COLUMNS, sparkColumn(span)]}
      rows={rows}
      rowKey={({ endpoint }) => endpoint.id}
    />
  </div>
);
